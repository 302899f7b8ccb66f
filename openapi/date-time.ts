const shape =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/i;

/** Reports whether a text is a date and time as in RFC 3339. The zone is optional, and the date must exist. */
export function isDateTime(text: string): boolean {
  if (!shape.test(text)) return false;
  const day = Number(text.slice(8, 10));
  // Days 1 to 28 exist in every month. `Date` moves a day that does not exist, such as 30 February, into the next month.
  return day <= 28 || new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === day;
}

/** Returns the milliseconds since 1970, or undefined for an invalid text. A text without a zone is read as UTC (http.date-without-zone). */
export function parseDateTime(text: string): number | undefined {
  if (!isDateTime(text)) return undefined;
  const zoned = /(?:[Zz]|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`;
  return Date.parse(zoned.toUpperCase());
}
