/** A piece of JSON: a sign of structure, a text, or a number, truth or null. */
const PIECE = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|([^\s{}[\],:"]+))/y;

interface Noticed {
  /** The value in which of a property that is named twice the first counts. */
  readonly first: unknown;
  /** The name of such a property, wherever it is. */
  readonly repeated: string | undefined;
}

/** Reads a text that is JSON, and notices what JSON.parse passes over (http.repeated-property). Depth costs no stack. */
export function parseNoticing(text: string): Noticed {
  const open: { readonly value: Record<string, unknown> | unknown[]; name: string | undefined }[] = [];
  let first: unknown;
  let repeated: string | undefined;
  const put = (value: unknown): void => {
    const around = open.at(-1);
    if (!around) first = value;
    else if (Array.isArray(around.value)) around.value.push(value);
    else if (around.name === undefined) around.name = value as string;
    else {
      if (Object.hasOwn(around.value, around.name)) repeated ??= around.name;
      else Object.defineProperty(around.value, around.name, { value, enumerable: true, writable: true, configurable: true });
      around.name = undefined;
    }
  };
  PIECE.lastIndex = 0;
  for (let piece = PIECE.exec(text); piece; piece = PIECE.exec(text)) {
    const [, sign, quoted, plain] = piece;
    if (sign === '{' || sign === '[') {
      const value = sign === '{' ? {} : [];
      put(value);
      open.push({ value, name: undefined });
    } else if (sign === '}' || sign === ']') open.pop();
    else if (sign === undefined) put(JSON.parse((quoted ?? plain) as string));
  }
  return { first, repeated };
}
