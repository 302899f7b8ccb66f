import type { Behaviors } from '../../../openapi/generated/clauses.ts';
import contract from '../../../openapi/generated/contract.json' with { type: 'json' };
import { momentsOf } from '../parse/properties.ts';
import { Written } from './written.ts';

/** Gives a reply, or a card in it, the form in which behaviors have all answers; what was written already has it. */
export type Form = (reply: unknown) => unknown;

/** Undefined where answers are as the operations make them. */
export function formOf(behaviors: Behaviors): Form | undefined {
  const dates = DATES[behaviors['http.date-form']];
  const isLeftOut = behaviors['http.valueless-properties'] === 'left-out';
  if (!dates && !isLeftOut) return undefined;
  const form: Form = (value) => {
    if (typeof value !== 'object' || value === null || value instanceof Written) return value;
    if (Array.isArray(value)) return value.map(form);
    const formed: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(value)) {
      if (inner === null && isLeftOut) continue;
      formed.push([name, dates && typeof inner === 'string' && moments.has(name) ? dates(inner) : form(inner)]);
    }
    return Object.fromEntries(formed);
  };
  return form;
}

/** The names of properties that hold a date and time. */
const moments = new Set(Object.values(contract.components.schemas).flatMap((schema) => momentsOf(schema, contract)));

/** http.date-form: from milliseconds and Z. */
const DATES: Readonly<Record<Behaviors['http.date-form'], ((text: string) => string) | undefined>> = {
  'milliseconds-and-z': undefined,
  'seconds-and-z': (text) => text.replace(/\.\d+Z$/, 'Z'),
  'without-zone': (text) => text.replace(/Z$/, ''),
};
