/** In milliseconds. A day is 24 hours in the mock, whatever the account's time zone does, but where a day of the calendar is meant. */
export const DAY = 86_400_000;

/** Where time ends: dates on the wire have years of four digits. */
export const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const calendars = new Map<string, Intl.DateTimeFormat>();

/** The date of a moment where the account is, e.g. 2026-01-15; dates compare as texts. */
function dateOf(moment: number, timeZone: string): string {
  let calendar = calendars.get(timeZone);
  if (!calendar) {
    calendar = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    calendars.set(timeZone, calendar);
  }
  return calendar.format(moment);
}

/**
 * The last millisecond of the calendar day that is `days` after the one of `moment`, at most the last of all; such a day has 23 or 25 hours where
 * clocks are changed.
 */
export function endOfDay(moment: number, days: number, timeZone: string): number {
  const startInUtc = Date.parse(dateOf(moment, timeZone)) + days * DAY;
  if (startInUtc > LAST_MOMENT - 2 * DAY) return LAST_MOMENT;
  const last = new Date(startInUtc).toISOString().slice(0, 10);
  // No time zone is a whole day away from UTC.
  let [within, after] = [startInUtc - DAY, startInUtc + 2 * DAY];
  while (after - within > 1) {
    const middle = Math.floor((within + after) / 2);
    if (dateOf(middle, timeZone) <= last) within = middle;
    else after = middle;
  }
  return within;
}
