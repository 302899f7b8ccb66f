import { isObject } from '../document.ts';
import type { Override } from './overrides.ts';

interface Kind {
  /** What the row names, and how people say it. */
  readonly about: RegExp;
  readonly names: string;
  /** The row's other member, what it takes, and how people say it. */
  readonly beside: 'to' | 'in';
  readonly takes: (value: unknown) => boolean;
  readonly said: string;
}

const place = { about: /^[A-Za-z]+\.[A-Za-z0-9_]+$/, names: 'a property or a parameter, such as GiftCard.balance' };
const operation = { about: /./, names: 'an operation, such as listWebhooks' };
const answer = { about: /./, names: 'a refusal or an operation, such as adjustment.overdraw' };
const steps = /^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*$/;

const kinds: Readonly<Record<string, Kind>> = {
  rename: { ...place, beside: 'to', takes: fits(/^[A-Za-z_][A-Za-z0-9_-]*$/), said: 'a name of letters, digits, _ and -' },
  move: { ...place, beside: 'to', takes: fits(steps), said: 'names joined by dots' },
  wrap: { ...operation, beside: 'in', takes: fits(steps), said: 'names joined by dots' },
  status: { ...answer, beside: 'to', takes: isStatus, said: 'a status as a number from 200 to 599' },
  media: { ...answer, beside: 'to', takes: fits(/^[a-z]+\/[a-z0-9.+-]+$/), said: 'a media type such as application/json' },
  body: { ...answer, beside: 'to', takes: () => true, said: 'any JSON value' },
  schema: {
    about: /^[A-Za-z]+(\.[A-Za-z0-9_]+)?$/,
    names: 'a schema, a property or a parameter, such as GiftCard.balance',
    beside: 'to',
    takes: (value) => isObject(value) && Object.keys(value).length > 0,
    said: 'members of a JSON Schema',
  },
  required: { ...place, beside: 'to', takes: (value) => typeof value === 'boolean', said: 'true or false' },
};

/** The value as a row, or what is wrong with it as a sentence. Whether the contract has what it names is not asked here. */
export function readRow(value: unknown): Override | string {
  if (!isObject(value))
    return `it is ${JSON.stringify(value)}, and not like { rename: GiftCard.initialValue, to: originalValue }.`;
  const named = Object.keys(value).filter((key) => Object.hasOwn(kinds, key));
  const [name = ''] = named;
  const kind = kinds[name];
  if (!kind || named.length > 1) return `${JSON.stringify(value)} is no row; each has one of ${Object.keys(kinds).join(', ')}.`;
  const other = Object.keys(value).find((key) => key !== name && key !== kind.beside);
  if (other !== undefined) return `"${other}" is no part of it; a row with ${name} takes ${kind.beside} beside it.`;
  const about = value[name];
  if (typeof about !== 'string' || !kind.about.test(about)) return `${name} names ${kind.names}, not ${JSON.stringify(about)}.`;
  const to = value[kind.beside];
  if (to === undefined || !kind.takes(to))
    return `${kind.beside} takes ${kind.said}${to === undefined ? '; it is missing' : `, not ${JSON.stringify(to)}`}.`;
  const odd = namesIn([about, to]).find((each) => each in {});
  if (odd !== undefined)
    return `${JSON.stringify(value)} has the name ${odd}, which means something to every object; take another.`;
  return value as unknown as Override;
}

/** Every name in a row: the steps of what it is about, and the names and properties that it brings. */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.split('.');
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]) : [];
}

function fits(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value);
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 200 && (value as number) <= 599;
}
