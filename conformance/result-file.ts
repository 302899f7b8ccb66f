import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import schema from './generated/results.schema.json' with { type: 'json' };
import { readJson } from './read-file.ts';
import type { RunResult } from './result.ts';
import { UsageError } from './target.ts';

/** Reads a results.json. Throws UsageError where it is none, with the first place that does not fit. */
export function readResult(file: string): RunResult {
  const read = readJson(file, 'result file');
  validate ??= new Ajv2020({ strict: true, allowUnionTypes: true }).compile<RunResult>(schema);
  if (validate(read)) return read;
  const [{ instancePath, message } = { instancePath: '', message: '' }] = validate.errors ?? [];
  throw new UsageError(`${file} is no result file of this suite: ${instancePath || 'the whole'} ${message}.`);
}

let validate: ValidateFunction<RunResult> | undefined;
