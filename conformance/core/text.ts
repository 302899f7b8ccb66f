import { jsonEscapes } from '../../openapi/input/text.ts';
import packageFile from '../../package.json' with { type: 'json' };

export function formatCount(number: number, what: string, several = `${what}s`): string {
  return `${number} ${number === 1 ? what : several}`;
}

/** Returns each value with its number: "3 pass, 1 fail". */
export const tally = (all: readonly string[], values: readonly string[] = [...new Set(all)]): string =>
  values.map((value) => `${all.filter((each) => each === value).length} ${value}`).join(', ');

export const describeCards = (cards: { created: number; voided: number; left: readonly unknown[] }): string =>
  `Cards ${cards.created} created, ${cards.voided} voided, ${cards.left.length} left`;

export const suite = `giftcard-sandbox ${packageFile.version}`;

/** The command of the suite in messages. `npx` runs it even if the package is not installed. */
export const cliName = 'npx giftcard-sandbox conformance';

/** Escapes control characters, so that a target's response cannot control a terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, jsonEscapes);
}

/** Returns at most `length` characters on one line. */
export function excerpt(text: string, length = 160): string {
  const flat = printable(text.replace(/\s*\n\s*/g, ' '));
  return flat.length > length ? `${flat.slice(0, length - 1)}…` : flat;
}

/** Returns excerpts of two different texts. If the excerpts would be equal, both begin at the last comma before the difference, or shortly before the difference. */
export function excerptsOfDifference(one: string, other: string, length = 160): [string, string] {
  const alike = [...one].findIndex((character, index) => character !== other[index]);
  const same = alike === -1 ? one.length : alike;
  const start = same < length - 20 ? 0 : Math.max(one.lastIndexOf(',', same - 20) + 1, same - length / 2);
  const shown = (text: string) => (start > 0 ? '…' : '') + excerpt(text.slice(start), length);
  return [shown(one), shown(other)];
}
