import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import schema from './generated/results.schema.json' with { type: 'json' };
import type { RunResult } from './result.ts';
import { UsageError } from './target.ts';

/** Reads a results.json. Throws UsageError where it is none, with the first place that does not fit. */
export function readResult(file: string): RunResult {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`The result file ${file} could not be read as JSON: ${(error as Error).message}`);
  }
  validate ??= new Ajv2020({ strict: true, allowUnionTypes: true }).compile<RunResult>(schema);
  if (validate(read)) return read;
  const [{ instancePath, message } = { instancePath: '', message: '' }] = validate.errors ?? [];
  throw new UsageError(`${file} is no result file of this suite: ${instancePath || 'the whole'} ${message}.`);
}

let validate: ValidateFunction<RunResult> | undefined;
