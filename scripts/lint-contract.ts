import { join } from 'node:path';
import { bundle } from './generate/bundle.ts';
import { readRules } from './generate/rules.ts';
import { defaultProblems, topicProblems } from './lint/contract.ts';

const openapi = join(import.meta.dirname, '../openapi');
const contract = bundle(openapi);
const { rules, problems } = readRules(join(openapi, 'rules'), contract);
const all = [...problems, ...defaultProblems(contract, rules), ...topicProblems(contract)];
for (const problem of all) process.stderr.write(`${problem}\n`);
if (all.length > 0) process.exitCode = 1;
