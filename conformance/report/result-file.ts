import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { UsageError } from '../../cli/usage-error.ts';
import { readJson } from '../../cli/user-files.ts';
import { terminalJson } from '../../openapi/input/text.ts';
import { schemaProblems } from '../../openapi/schema-errors.ts';
import type { CompareResult } from '../compare/result.ts';
import type { RuleResult, RunResult } from '../core/result.ts';
import { cliName } from '../core/text.ts';
import type { FuzzResult } from '../fuzz/result.ts';
import schema from '../generated/results.schema.json' with { type: 'json' };
import type { Exchange } from '../http/exchange.ts';
import type { ProxyResult } from '../proxy/result.ts';
import { endingOf, type Result } from './result.ts';

/** The content of results.json. */
export type ResultFile = Versioned<RunFile> | Versioned<FuzzResult> | Versioned<CompareResult> | Versioned<ProxyResult>;

type Versioned<R> = R & {
  /** The version of this format. A change that breaks readers increases the version. */
  formatVersion: 1;
  exitCode: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 130;
};

/** The result of a run. The file has each exchange once, because rules share exchanges. */
interface RunFile extends RunResult<RuleInFile> {
  exchanges: Exchange[];
}

/** A rule whose exchanges are indexes into the file's exchanges. */
type RuleInFile = RuleResult<number[]>;

export function resultJson(results: readonly Result[]): string {
  const files = results.map((result): ResultFile => {
    const header = { formatVersion: 1, exitCode: endingOf(result).code } as const;
    return result.kind === 'run' ? { ...header, ...runFile(result) } : { ...header, ...result };
  });
  return `${terminalJson(files.length === 1 ? files[0] : files, 2)}\n`;
}

function runFile({ rules, ...others }: RunResult): RunFile {
  const exchanges = new Map<string, Exchange>();
  for (const exchange of rules.flatMap((rule) => rule.exchanges)) exchanges.set(JSON.stringify(exchange), exchange);
  const indexes = new Map([...exchanges.keys()].map((text, index) => [text, index]));
  const indexOf = (exchange: Exchange) => indexes.get(JSON.stringify(exchange)) ?? 0;
  return {
    ...others,
    rules: rules.map((each) => ({ ...each, exchanges: each.exchanges.map(indexOf) })),
    exchanges: [...exchanges.values()],
  };
}

let validate: ValidateFunction<ResultFile> | undefined;

export function readResult(file: string): Result {
  const content = readJson(file, 'result file');
  const again = `Run the suite again: ${cliName} run --target URL --out FOLDER`;
  const { formatVersion = 1 } = Object(content);
  if (formatVersion > 1)
    throw new UsageError(
      `${file} has formatVersion ${formatVersion}, and this version of the suite reads 1. Update giftcard-sandbox.`,
    );
  validate ??= new Ajv2020({ strict: true, allowUnionTypes: true, discriminator: true }).compile<ResultFile>(schema);
  if (!validate(content)) {
    const [problem] = schemaProblems(validate.errors ?? [], content);
    throw new UsageError(`${file} is not a result file of this suite: ${problem?.path.join('.')}: ${problem?.sentence} ${again}`);
  }
  const { formatVersion: _, exitCode: __, ...result } = content;
  if (result.kind !== 'run') return result;
  const { rules, exchanges, ...others } = result;
  return {
    ...others,
    rules: rules.map((each) => ({ ...each, exchanges: each.exchanges.flatMap((index) => exchanges[index] ?? []) })),
  };
}

export function readRunResult(file: string): RunResult {
  const result = readResult(file);
  if (result.kind === 'run') return result;
  throw new UsageError(
    `${file} is the result of ${result.kind}. Use the results.json of a run: ${cliName} run --target URL --out FOLDER`,
  );
}
