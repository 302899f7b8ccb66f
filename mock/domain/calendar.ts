/** Times on the wire: UTC, milliseconds, `Z` (http.date-form). */
export function time(at: number): string;
export function time(at: number | null): string | null;
export function time(at: number | null): string | null {
  if (at === null) return null;
  if (at !== lastMoment) {
    lastText = new Date(at).toISOString();
    lastMoment = at;
  }
  return lastText;
}

/** A card is created and updated at one moment, and others within the same millisecond: of the last one the text is known. */
let lastMoment = Number.NaN;
let lastText = '';
