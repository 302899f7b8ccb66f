import { type Json, operationsOf, resolve } from '../../openapi/document.ts';
import { refusalsOf } from '../../openapi/effective/answers.ts';
import { questions, standardDocument } from '../../openapi/effective/behaviors.ts';
import { mediaOf } from '../../openapi/effective/bodies.ts';
import type { Row } from '../../openapi/effective/rows.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Shown } from '../core/clause.ts';
import { stepsTo } from '../http/structure.ts';

/**
 * The rows by which the contract has what was shown: those of the clause's own behaviors, with what was shown in the place of what they say. None
 * where its behaviors have no rows of that kind.
 */
export function rowsLike(clause: ClauseName, { name, status, wrap, body, media, rows = [] }: Shown): Row[] {
  const like = Object.values(questions[clause]?.behaviors ?? {}).flatMap((reading) => reading?.wire ?? []);
  const about = (kind: 'rename' | 'move' | 'status' | 'wrap' | 'body') =>
    new Set(like.flatMap((row) => (kind in row ? [String((row as Record<string, unknown>)[kind])] : [])));
  const each = <T>(things: Iterable<T>, make: (thing: T) => Row[]) => [...things].flatMap(make);
  return [
    ...(name === undefined ? [] : each(new Set([...about('rename'), ...about('move')]), (what) => [placed(what, name)])),
    ...(status === undefined || !isRefusal(status)
      ? []
      : each(about('status'), (code) => (isUsual(code) ? [{ status: code, to: status }] : []))),
    ...(wrap === undefined ? [] : each(about('wrap'), (operation) => [{ wrap: operation, in: wrap }])),
    ...(body === undefined ? [] : each(about('body'), (what) => bodyRows(what, body, media))),
    ...rows,
  ];
}

/** The same of a path within the record; none where it stands under its own name, nowhere, or within a list. */
export function rowAt(what: string, path: string | undefined): Row[] {
  const steps = path === undefined ? undefined : stepsTo(path);
  return steps === undefined || steps === what.split('.')[1] ? [] : [placed(what, steps)];
}

/** Where a property stands, by its steps from the record on. */
const placed = (what: string, steps: string): Row =>
  steps.includes('.') ? { move: what, to: steps } : { rename: what, to: steps };

function bodyRows(what: string, to: Json, media: string | undefined): Row[] {
  const row: Row = { body: what, to };
  return to === null || media === undefined || media === mediaOf(to) ? [row] : [{ media: what, to: media }, row];
}

/** Too many requests, and what breaks, is no answer to what was asked. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 429;

/** Whether the refusal is there without any reading: one that only a reading brings has its status from that. */
function isUsual(code: string): boolean {
  const answers = operationsOf(standardDocument).flatMap(({ node }) => Object.values(node.responses as Record<string, Json>));
  const outside = Object.values((standardDocument['x-outside-operations'] ?? {}) as Record<string, Json>);
  return [...answers, ...outside].some((answer) => refusalsOf(resolve(standardDocument, answer)).here.includes(code));
}
