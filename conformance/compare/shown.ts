import { prettyJson } from '../report/html/pretty.ts';
import type { Pace, Way } from './aligned-steps.ts';
import type { Shown, Step } from './comparison.ts';
import type { Parting } from './json-diff.ts';
import type { Spoken } from './normalized.ts';
import type { Bound } from './placeholders.ts';

/** Where two ways of a clause first part, but for what parts them wherever the same is asked; counted from 0. */
export function firstParting({ paces }: Way, isUsual: (pace: Pace, parting: Parting) => boolean): number | undefined {
  const own = paces.findIndex((pace) => !pace.a || !pace.b || pace.partings.some((parting) => !isUsual(pace, parting)));
  const number = own >= 0 ? own : paces.findIndex(({ partings }) => partings.length > 0);
  return number >= 0 ? number : undefined;
}

export function shownStep({ a, b, partings }: Pace, number: number, bound: Bound): Step {
  const headers = partings.flatMap(({ place }) =>
    place.startsWith('header ') && place !== 'header content-type' ? [place.slice('header '.length)] : [],
  );
  return {
    number,
    ...(a ? { a: shown(a, 'a', bound, headers) } : {}),
    ...(b ? { b: shown(b, 'b', bound, headers) } : {}),
  };
}

function shown({ exchange, headers }: Spoken, side: 'a' | 'b', bound: Bound, differing: readonly string[]): Shown {
  const { method, path, requestBody, status, contentType, body } = exchange;
  const told = (text: string) => bound.symbols(text, side);
  const named = differing.flatMap((name) => (headers[name] === undefined ? [] : [told(`${name}: ${headers[name]}`)]));
  return {
    method,
    path: told(path),
    ...(requestBody === undefined ? {} : { request: told(prettyJson(requestBody)) }),
    status,
    contentType,
    body: told(prettyJson(body)),
    ...(named.length > 0 ? { headers: named } : {}),
  };
}
