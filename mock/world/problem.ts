import type { LineOf, Path } from '../../openapi/input/text.ts';
import { valueAt } from '../../openapi/schema-errors.ts';

/** An error in a description of accounts. The sentence does not say where. */
export interface Problem {
  readonly path: Path;
  readonly sentence: string;
  /** The earlier value that this one conflicts with. */
  readonly other?: Path;
}

/** What messages call an element of each array, and the property that users know it by. A key is never shown. */
const ELEMENTS: Readonly<Record<string, readonly [kind: string, knownBy?: string]>> = {
  accounts: ['account', 'id'],
  keys: ['key'],
  channels: ['channel', 'id'],
  automations: ['automation', 'name'],
  cards: ['card', 'code'],
  adjustments: ['adjustment'],
  webhooks: ['webhook', 'url'],
  coupons: ['coupon', 'code'],
};

/** `world.yaml, line 7: account main, card VOUCHER-0001: kind must be …` */
export function messageOf({ path, sentence, other }: Problem, file: unknown, name: string, lineOf: LineOf): string {
  const line = lineOf(path);
  const place = placeOf(file, path);
  const otherLine = other && lineOf(other);
  const first = other && ` The first is ${placeOf(file, other, true)}${otherLine === undefined ? '' : ` on line ${otherLine}`}.`;
  return `${name}${line === undefined ? '' : `, line ${line}`}: ${place === '' ? '' : `${place}: `}${sentence}${first ?? ''}`;
}

/** `account main, card VOUCHER-0001, adjustment #2`. With `byPosition`, the last element is shown by its position as well. */
function placeOf(file: unknown, path: Path, byPosition = false): string {
  const last = path.findLastIndex((step) => typeof step === 'number');
  const places = path.flatMap((step, index) => {
    if (path[index - 1] === 'inChannels') return [`channel ${step}`];
    const [kind, knownBy] = (typeof step === 'number' && ELEMENTS[String(path[index - 1])]) || [];
    if (kind === undefined) return [];
    const known = knownBy === undefined ? undefined : valueAt(file, [...path.slice(0, index + 1), knownBy]);
    const position = `#${Number(step) + 1}`;
    if (typeof known !== 'string' || known === '') return [`${kind} ${position}`];
    return [byPosition && index === last ? `${kind} ${position} (${known})` : `${kind} ${known}`];
  });
  return places.join(', ');
}

/** The same problems, seen from a value that contains the checked one. */
export function below(path: Path, problems: readonly Problem[]): Problem[] {
  return problems.map(({ path: inner, sentence, other }) => ({
    path: [...path, ...inner],
    sentence,
    ...(other ? { other: [...path, ...other] } : {}),
  }));
}
