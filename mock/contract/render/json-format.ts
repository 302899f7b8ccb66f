import type { Behaviors } from '../../../openapi/generated/rules.ts';
import { RenderedCard } from './print.ts';

/** Formats the dates and nulls of a value as the behaviors require. Skips each RenderedCard, because its text is already formatted. */
export type JsonFormat = (response: unknown) => unknown;

/** Returns undefined for the default behaviors, which need no formatting. */
export function jsonFormatOf(behaviors: Behaviors): JsonFormat | undefined {
  const dateForm = behaviors['http.date-form'];
  const omitsNull = behaviors['http.valueless-properties'] === 'left-out';
  if (dateForm === 'milliseconds-and-z' && !omitsNull) return undefined;
  const format: JsonFormat = (value) => {
    if (typeof value !== 'object' || value === null || value instanceof RenderedCard) return value;
    if (Array.isArray(value)) return value.map(format);
    const entries: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(value)) {
      if (inner === null && omitsNull) continue;
      const isDate = typeof inner === 'string' && /(?:Utc|_utc)$/.test(name);
      entries.push([name, isDate ? inDateForm(inner, dateForm) : format(inner)]);
    }
    return Object.fromEntries(entries);
  };
  return format;
}

/** http.date-form, delivery.payload.date-form. `text` has milliseconds and Z. */
function inDateForm(text: string, form: Behaviors['http.date-form']): string {
  if (form === 'milliseconds-and-z') return text;
  return form === 'seconds-and-z' ? text.replace(/\.\d+Z$/, 'Z') : text.replace(/Z$/, '');
}
