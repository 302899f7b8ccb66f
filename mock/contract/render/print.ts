import type { CardRecord } from '../../state/records.ts';

/** A card's JSON text as the API shows it. */
export class RenderedCard {
  readonly card: CardRecord;
  readonly text: string;
  /** Length of the text in UTF-8. */
  readonly bytes: number;

  constructor(card: CardRecord, text: string) {
    this.card = card;
    this.text = text;
    this.bytes = Buffer.byteLength(text);
  }
}

export type Printed = Pick<RenderedCard, 'text' | 'bytes'>;

/**
 * Returns the JSON text of a response, with the length in UTF-8. Rendered cards keep their text and length. All parts are joined once at the end, because
 * this is faster than appending each part to a growing text.
 */
export function print(value: unknown): Printed {
  if (value instanceof RenderedCard) return value;
  const parts: string[] = [];
  const bytes = printInto(parts, value);
  return { text: parts.join(''), bytes };
}

/** Appends the parts of a value's text and returns their length in bytes. */
function printInto(parts: string[], value: unknown): number {
  if (value instanceof RenderedCard) {
    parts.push(value.text);
    return value.bytes;
  }
  if (typeof value !== 'object' || value === null) return textInto(parts, JSON.stringify(value));
  let bytes = 0;
  if (Array.isArray(value)) {
    for (const each of value) bytes += signInto(parts, bytes === 0 ? '[' : ',') + printInto(parts, each);
    return bytes + signInto(parts, bytes === 0 ? '[]' : ']');
  }
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    bytes += signInto(parts, bytes === 0 ? '{' : ',') + textInto(parts, `${JSON.stringify(name)}:`) + printInto(parts, inner);
  }
  return bytes + signInto(parts, bytes === 0 ? '{}' : '}');
}

function textInto(parts: string[], text: string): number {
  parts.push(text);
  return Buffer.byteLength(text);
}

function signInto(parts: string[], sign: string): number {
  parts.push(sign);
  return sign.length;
}
