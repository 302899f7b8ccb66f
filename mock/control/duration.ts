import { DAY } from '../domain/day.ts';

/** An ISO 8601 duration, its months (and years) and the rest of it apart, since a month has no fixed length. */
interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

/** How a duration can be written, for sentences that refuse one. */
export const DURATIONS = 'PT10M, P1D (ISO 8601), 10m or 300ms';

const SHORT = { ms: 1, s: 1000, m: 60_000, h: 60 * 60_000, d: DAY } as const;

const shape = /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/;

/** Of a text such as P1D, P2W, PT90S or P1Y2M, or short as 300ms, 10s, 2m, 1h or 7d; undefined for anything else, and for what goes backwards. */
export function parseDuration(text: string): Duration | undefined {
  const [, number, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  if (number !== undefined) return { months: 0, milliseconds: Number(number) * SHORT[unit as keyof typeof SHORT] };
  const parts = shape.exec(text);
  if (!parts) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const clockTime = (hours * 60 + minutes) * 60_000 + Math.round(seconds * 1000);
  return { months: years * 12 + months, milliseconds: (weeks * 7 + days) * DAY + clockTime };
}

/** How long it is where it begins at no moment that matters, in milliseconds; undefined for what is no duration. */
export function millisecondsOf(text: string): number | undefined {
  const duration = parseDuration(text);
  return duration && later(0, duration);
}

/** The moment so much later, in UTC; where a month is too short for the day, its last one. */
export function later(at: number, { months, milliseconds }: Duration): number {
  const date = new Date(at);
  if (months > 0) {
    const day = date.getUTCDate();
    date.setUTCDate(1);
    date.setUTCMonth(date.getUTCMonth() + months);
    const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    date.setUTCDate(Math.min(day, days));
  }
  return date.getTime() + milliseconds;
}
