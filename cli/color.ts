import { styleText } from 'node:util';
import type { Environment, OutputStream } from './io.ts';

/** Returns the text with a color or another style of node:util, such as `bold`. */
export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', text: string) => string;

/** Reports whether a stream gets colors: a terminal does without NO_COLOR, and FORCE_COLOR decides for every stream, as in Node itself. */
export function hasColor({ isTTY }: OutputStream, { FORCE_COLOR, NO_COLOR, TERM }: Environment): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTTY === true && !NO_COLOR && TERM !== 'dumb';
}

/** Returns a function that paints, or a function that returns the text as it is. */
export function painter(isColored: boolean): Paint {
  // The mock has decided, so Node must not look at the standard output.
  return isColored ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}
