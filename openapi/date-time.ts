const shape = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-](\d\d):(\d\d))?$/;
const monthsOf30 = new Set([4, 6, 9, 11]);

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return monthsOf30.has(month) ? 30 : 31;
}

/** The last text that was one: a card that is made has the same moment more than once. */
let known: string | undefined;

/** Whether a text is a moment as RFC 3339 writes it; the zone may be missing, the date must exist. */
export function isDateTime(text: string): boolean {
  if (text === known) return true;
  const isOne = isMoment(text);
  if (isOne) known = text;
  return isOne;
}

function isMoment(text: string): boolean {
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

/** Milliseconds since 1970 of such a text, or undefined. Without a zone it is read as UTC: what the specification's "(UTC)" suggests, but leaves open. */
export function parseDateTime(text: string): number | undefined {
  if (!isDateTime(text)) return undefined;
  const zoned = /(?:[Zz]|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`;
  return Date.parse(zoned.toUpperCase());
}
