const shape = /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/i;

/** Whether a text is a date and time as in RFC 3339. The zone is optional; the date must exist. */
export function isDateTime(text: string): boolean {
  const parts = shape.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  // A day that does not exist becomes one of the next month.
  return new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1 && day > 0;
}

/** Milliseconds since 1970, or undefined for an invalid text. A text without a zone is UTC, as the specification's "(UTC)" suggests (http.date-without-zone). */
export function parseDateTime(text: string): number | undefined {
  if (!isDateTime(text)) return undefined;
  const zoned = /(?:[Zz]|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`;
  return Date.parse(zoned.toUpperCase());
}
