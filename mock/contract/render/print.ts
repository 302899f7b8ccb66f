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
 * Returns the JSON text of a response, with the length in UTF-8. Rendered cards keep their text and length. V8 appends a text without a copy, and copies
 * all parts once when it sends them, so nothing may need the text as one block before.
 */
export function print(value: unknown): Printed {
  if (value instanceof RenderedCard) return value;
  if (typeof value !== 'object' || value === null) return measured(JSON.stringify(value));
  let text = '';
  let bytes = 2;
  const add = (name: string, inner: unknown) => {
    const { text: added, bytes: length } = print(inner);
    bytes += length + Buffer.byteLength(name) + (text === '' ? 0 : 1);
    text += text === '' ? name : `,${name}`;
    text += added;
  };
  if (Array.isArray(value)) {
    for (const each of value) add('', each);
    return { text: `[${text}]`, bytes };
  }
  for (const [name, inner] of Object.entries(value)) if (inner !== undefined) add(`${JSON.stringify(name)}:`, inner);
  return { text: `{${text}}`, bytes };
}

function measured(text: string): Printed {
  return { text, bytes: Buffer.byteLength(text) };
}
