import { valueAt } from '../../openapi/document.ts';
import type { LineOf } from '../../openapi/input/text.ts';
import type { SchemaProblem } from '../../openapi/schema-errors.ts';

/** An error in a description of accounts. The sentence does not name the place, because `messageOf` adds the place. */
export type Problem = Pick<SchemaProblem, 'path' | 'sentence'>;

/** Returns a message with the place: `world.yaml, line 7: account main, card VOUCHER-0001: kind must be …` */
export function messageOf({ path, sentence }: Problem, file: unknown, name: string, lineOf: LineOf): string {
  const line = lineOf(path);
  const where = line === undefined ? name : `${name}, line ${line}`;
  const places = path.flatMap((step, index) => {
    const list = String(path[index - 1]);
    if (list === 'inChannels') return [`channel ${step}`];
    if (typeof step !== 'number') return [];
    const element = (valueAt(file, path.slice(0, index + 1)) ?? {}) as Readonly<Record<string, unknown>>;
    const { code, id, name, url } = element;
    const known = code ?? id ?? (list === 'accounts' ? undefined : (name ?? url));
    return [`${list.slice(0, -1)} ${typeof known === 'string' ? known : `#${step + 1}`}`];
  });
  return [where, ...(places.length === 0 ? [] : [places.join(', ')]), sentence].join(': ');
}
