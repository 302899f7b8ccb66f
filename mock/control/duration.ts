import { DAY } from '../day.ts';

/** An ISO 8601 duration, its months (and years) and the rest of it apart, since a month has no fixed length. */
interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

const shape = /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/;

/** Of a text such as P1D, P2W, PT90S or P1Y2M; undefined for anything else, and for what goes backwards. */
export function parseDuration(text: string): Duration | undefined {
  const parts = shape.exec(text);
  if (!parts) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const clockTime = (hours * 60 + minutes) * 60_000 + Math.round(seconds * 1000);
  return { months: years * 12 + months, milliseconds: (weeks * 7 + days) * DAY + clockTime };
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
