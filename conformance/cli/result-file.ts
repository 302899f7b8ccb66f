import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { UsageError } from '../../command-line/usage-error.ts';
import { readJson } from '../core/files.ts';
import type { ClauseResult, RunResult } from '../core/result.ts';
import schema from '../generated/results.schema.json' with { type: 'json' };
import type { Exchange } from '../http/exchange.ts';

/** A result as results.json has it: what several clauses looked at stands there once. */
export interface ResultFile extends RunResult<WrittenClause> {
  exchanges: Exchange[];
}

/** Its exchanges are positions in the exchanges of the whole, counted from 0. */
type WrittenClause = ClauseResult<number[]>;

export function asFile({ clauses, ...others }: RunResult): ResultFile {
  const exchanges: Exchange[] = [];
  const known = new Map<string, number>();
  const placeOf = (exchange: Exchange): number => {
    const text = JSON.stringify(exchange);
    const place = known.get(text) ?? exchanges.push(exchange) - 1;
    known.set(text, place);
    return place;
  };
  return { ...others, clauses: clauses.map((each) => ({ ...each, exchanges: each.exchanges.map(placeOf) })), exchanges };
}

/** Reads a results.json. Throws UsageError where it is none, with the first place that does not fit. */
export function readResult(file: string): RunResult {
  const read = readJson(file, 'result file');
  const refuse = (where: string, why: string) => new UsageError(`${file} is no result file of this suite: ${where} ${why}.`);
  validate ??= new Ajv2020({ strict: true, allowUnionTypes: true }).compile<ResultFile>(schema);
  if (!validate(read)) {
    const [{ instancePath, message } = { instancePath: '', message: '' }] = validate.errors ?? [];
    throw refuse(instancePath || 'the whole', `${message}`);
  }
  const { clauses, exchanges, ...others } = read;
  const at = (place: number, name: string): Exchange => {
    const exchange = exchanges[place];
    if (!exchange) throw refuse(`${name}`, `names exchange ${place}, which is not there`);
    return exchange;
  };
  return {
    ...others,
    clauses: clauses.map((each) => ({ ...each, exchanges: each.exchanges.map((place) => at(place, each.name)) })),
  };
}

let validate: ValidateFunction<ResultFile> | undefined;
