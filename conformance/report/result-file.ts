import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { UsageError } from '../../command-line/usage-error.ts';
import { readJson } from '../core/files.ts';
import type { ClauseResult, CompareResult, FuzzResult, ProxyResult, Result, RunResult } from '../core/result.ts';
import { cliName } from '../core/text.ts';
import schema from '../generated/results.schema.json' with { type: 'json' };
import type { Exchange } from '../http/exchange.ts';

/** The content of results.json. */
export type ResultFile = RunFile | FuzzResult | CompareResult | ProxyResult;

/** Clauses share exchanges, so the file has each exchange once. */
interface RunFile extends RunResult<ClauseInFile> {
  exchanges: Exchange[];
}

/** Its exchanges are indexes into the exchanges of the file. */
type ClauseInFile = ClauseResult<number[]>;

/** The text of results.json: one result, or a list of several. */
export function resultJson(results: readonly Result[]): string {
  const files = results.map((result) => (result.kind === 'run' ? runFile(result) : result));
  return `${JSON.stringify(files.length === 1 ? files[0] : files, null, 2)}\n`;
}

function runFile({ clauses, ...others }: RunResult): RunFile {
  const exchanges: Exchange[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (exchange: Exchange): number => {
    const text = JSON.stringify(exchange);
    const index = indexes.get(text) ?? exchanges.push(exchange) - 1;
    indexes.set(text, index);
    return index;
  };
  return { ...others, clauses: clauses.map((each) => ({ ...each, exchanges: each.exchanges.map(indexOf) })), exchanges };
}

/** Reads a results.json. Throws UsageError for a file of version 0.1, and with the first place that is wrong. */
export function readResult(file: string): Result {
  const content = readJson(file, 'result file');
  if (isOfVersion01(content))
    throw new UsageError(
      `${file} was written by version 0.1, which this version does not read. Run the suite again: ${cliName} run --target URL --out FOLDER`,
    );
  validate ??= new Ajv2020({ strict: true, allowUnionTypes: true, discriminator: true }).compile<ResultFile>(schema);
  if (!validate(content)) {
    const [{ instancePath, message } = { instancePath: '', message: '' }] = validate.errors ?? [];
    throw new UsageError(`${file} is not a result file of this suite: ${instancePath || 'the file'} ${message}.`);
  }
  if (content.kind !== 'run') return content;
  const { clauses, exchanges, ...others } = content;
  const exchangeAt = (index: number, name: string): Exchange => {
    const exchange = exchanges[index];
    if (!exchange)
      throw new UsageError(`${file} is not a result file of this suite: ${name} names exchange ${index}, which is missing.`);
    return exchange;
  };
  return {
    ...others,
    clauses: clauses.map((each) => ({ ...each, exchanges: each.exchanges.map((index) => exchangeAt(index, each.name)) })),
  };
}

let validate: ValidateFunction<ResultFile> | undefined;

const isOfVersion01 = (content: unknown): boolean =>
  typeof content === 'object' && content !== null && 'suite' in content && !('kind' in content);

/** The result of a run; other kinds of results have no clauses. Throws UsageError. */
export function readRunResult(file: string): RunResult {
  const result = readResult(file);
  if (result.kind === 'run') return result;
  throw new UsageError(
    `${file} is the result of ${result.kind}. Use the results.json of a run: ${cliName} run --target URL --out FOLDER`,
  );
}
