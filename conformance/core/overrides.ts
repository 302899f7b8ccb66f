import type { Json } from '../../openapi/document.ts';
import { ruleTable, standardDocument } from '../../openapi/effective/behaviors.ts';
import { mediaOf } from '../../openapi/effective/bodies.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import { refusalCodes } from '../../openapi/effective/responses.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { stepsTo } from '../http/json-search.ts';
import type { ObservedResponse } from './rule.ts';

/** Returns overrides that describe an observed response. Covers only the parts of a response that the options of the question can change. */
export function overridesLike(question: RuleName, { status, body, media }: ObservedResponse): Override[] {
  const rows = Object.values(ruleTable[question]?.behaviors ?? {}).flatMap((option) => option?.wire ?? []);
  const refusals = new Set(rows.flatMap((row) => ('status' in row ? [row.status] : [])));
  const bodies = new Set(rows.flatMap((row) => ('body' in row ? [row.body] : [])));
  // An override can set the status of a refusal only if the contract's responses list the refusal.
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

/** Returns an override for a property that the target shows at another path. Returns no override if the name is the same, or if the path leads through an array. */
export function overrideAt(property: string, path: string | undefined): Override[] {
  const steps = path === undefined ? undefined : stepsTo(path);
  if (steps === undefined || steps === property.split('.')[1]) return [];
  return [steps.includes('.') ? { move: property, to: steps } : { rename: property, to: steps }];
}
