const shape = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-](\d\d):(\d\d))?$/;
const monthsOf30 = new Set([4, 6, 9, 11]);

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return monthsOf30.has(month) ? 30 : 31;
}

/** The last valid text: a new card has the same time in several properties. */
let known: string | undefined;

/** Whether a text is a date and time as in RFC 3339. The zone is optional; the date must exist. */
export function isDateTime(text: string): boolean {
  if (text === known) return true;
  const isValid = matchesDateTime(text);
  if (isValid) known = text;
  return isValid;
}

function matchesDateTime(text: string): boolean {
  const parts = shape.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])] as const;
  const [hour, minute, second] = [Number(parts[4]), Number(parts[5]), Number(parts[6])] as const;
  const [zoneHour, zoneMinute] = [Number(parts[7] ?? 0), Number(parts[8] ?? 0)] as const;
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59 &&
    zoneHour <= 23 &&
    zoneMinute <= 59
  );
}

/** Milliseconds since 1970, or undefined for an invalid text. A text without a zone is UTC, as the specification's "(UTC)" suggests (http.date-without-zone). */
export function parseDateTime(text: string): number | undefined {
  if (!isDateTime(text)) return undefined;
  const zoned = /(?:[Zz]|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`;
  return Date.parse(zoned.toUpperCase());
}
