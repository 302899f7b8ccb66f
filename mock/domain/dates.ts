/** All date arithmetic of the mock. A time is a number of milliseconds since 1970, UTC. */

/** Milliseconds of 24 hours. A calendar day can have 23 or 25 hours, so a function that counts calendar days needs a time zone. */
export const DAY = 86_400_000;

/** The first and the last time of the contract, whose years have four digits. Date.UTC cannot be used here: it reads the year 1 as 1901. */
export const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');
export const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

let lastTime = Number.NaN;
let lastText = '';

/** Returns a time as responses write it (http.date-form). The last text is cached, because a new card shows the same time twice. */
export function formatTime(at: number): string;
export function formatTime(at: number | null): string | null;
export function formatTime(at: number | null): string | null {
  if (at === null) return null;
  if (at !== lastTime) {
    lastText = new Date(at).toISOString();
    lastTime = at;
  }
  return lastText;
}

const calendars = new Map<string, Intl.DateTimeFormat>();

/** Returns the local date at a time, such as 2026-01-15. Such dates can be compared as texts. */
function localDate(at: number, timeZone: string): string {
  let calendar = calendars.get(timeZone);
  if (!calendar) {
    calendar = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    calendars.set(timeZone, calendar);
  }
  return calendar.format(at);
}

/** Returns the local month at a time, such as 2026-01. */
export function localMonth(at: number, timeZone: string): string {
  return localDate(at, timeZone).slice(0, 7);
}

/** Returns the last millisecond of the local day that is `days` after the day of `at`, but at most LAST_TIME. */
export function endOfLocalDay(at: number, days: number, timeZone: string): number {
  const startInUtc = Date.parse(localDate(at, timeZone)) + days * DAY;
  if (startInUtc > LAST_TIME - 2 * DAY) return LAST_TIME;
  const date = new Date(startInUtc).toISOString().slice(0, 10);
  // The local day ends at most two days after the date begins in UTC. A binary search finds the end, even on a day of a clock change.
  let [before, after] = [startInUtc - DAY, startInUtc + 2 * DAY];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localDate(middle, timeZone) <= date) before = middle;
    else after = middle;
  }
  return before;
}

/** A duration. The months are separate, because a month has no fixed length. */
interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

/** Examples of durations, for error messages. */
export const DURATIONS = 'PT10M, P1D (ISO 8601), 10m or 300ms';

const SHORT_UNITS = { ms: 1, s: 1000, m: 60_000, h: 60 * 60_000, d: DAY } as const;
const SHORT_DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;
const ISO_DURATION =
  /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/;

/** Parses an ISO 8601 duration (P1D, PT90S, P1Y2M) or a short one (300ms, 10s, 2m, 1h, 7d); undefined for any other text. */
export function parseDuration(text: string): Duration | undefined {
  const [, number, unit] = SHORT_DURATION.exec(text) ?? [];
  if (number !== undefined) return { months: 0, milliseconds: Number(number) * SHORT_UNITS[unit as keyof typeof SHORT_UNITS] };
  const parts = ISO_DURATION.exec(text);
  if (!parts) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const ofDay = (hours * 60 + minutes) * 60_000 + Math.round(seconds * 1000);
  return { months: years * 12 + months, milliseconds: (weeks * 7 + days) * DAY + ofDay };
}

/** Returns the milliseconds of a duration that begins on 1 January 1970, because months have different lengths. Undefined for any other text. */
export function millisecondsOf(text: string): number | undefined {
  const duration = parseDuration(text);
  return duration && addDuration(0, duration);
}

/** Returns the time after a duration, in UTC. One month after 31 January is the last day of February. */
export function addDuration(at: number, { months, milliseconds }: Duration): number {
  const date = new Date(at);
  if (months > 0) {
    const day = date.getUTCDate();
    date.setUTCDate(1);
    date.setUTCMonth(date.getUTCMonth() + months);
    const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    date.setUTCDate(Math.min(day, daysInMonth));
  }
  return date.getTime() + milliseconds;
}
