import { join } from 'node:path';
import { bundle } from './generate/bundle.ts';
import { readClauses } from './generate/clauses.ts';
import { defaultProblems, topicProblems } from './lint/contract.ts';

const openapi = join(import.meta.dirname, '../openapi');
const contract = bundle(openapi);
const { clauses, problems } = readClauses(join(openapi, 'clauses'), contract);
const all = [...problems, ...defaultProblems(contract, clauses), ...topicProblems(contract)];
for (const problem of all) process.stderr.write(`${problem}\n`);
if (all.length > 0) process.exitCode = 1;
