import type { Json } from '../../openapi/document.ts';
import { refusalCodes } from '../../openapi/effective/answers.ts';
import { questions, standardDocument } from '../../openapi/effective/behaviors.ts';
import { mediaOf } from '../../openapi/effective/bodies.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { stepsTo } from '../http/json-search.ts';
import type { ObservedResponse } from './clause.ts';

/** Returns the overrides of the clause's options with the values of an observed response. */
export function overridesLike(clause: ClauseName, { status, body, media }: ObservedResponse): Override[] {
  const rows = Object.values(questions[clause]?.behaviors ?? {}).flatMap((option) => option?.wire ?? []);
  const refusals = new Set(rows.flatMap((row) => ('status' in row ? [row.status] : [])));
  const bodies = new Set(rows.flatMap((row) => ('body' in row ? [row.body] : [])));
  // Overrides set the status only of refusals that the contract's own responses list.
  const own = [...refusals].filter((code) => refusalCodes(standardDocument).here.has(code));
  const isRejection = status !== undefined && status >= 400 && status < 500 && status !== 429;
  return [
    ...(isRejection ? own.map((code): Override => ({ status: code, to: status })) : []),
    ...(body === undefined ? [] : [...bodies].flatMap((what) => bodyOverrides(what, body, media))),
  ];
}

function bodyOverrides(what: string, to: Json, media: string | undefined): Override[] {
  const row: Override = { body: what, to };
  return to === null || media === undefined || media === mediaOf(to) ? [row] : [{ media: what, to: media }, row];
}

/** Returns an override that moves or renames a property to the path. Empty if the property has that name, or the path is within an array. */
export function overrideAt(property: string, path: string | undefined): Override[] {
  const steps = path === undefined ? undefined : stepsTo(path);
  if (steps === undefined || steps === property.split('.')[1]) return [];
  return [steps.includes('.') ? { move: property, to: steps } : { rename: property, to: steps }];
}
