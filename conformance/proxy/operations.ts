import { type Operation, operations } from '../core/operations.ts';

export interface Found {
  readonly operation: Operation;
  /** What stands in the place of the path's parameter, as it was sent. */
  readonly named: string | undefined;
  /** Whether the path is exactly the document's; whether another letter case or a slash at the end is another path is open. */
  readonly exactly: boolean;
}

/** The operation of a method and a path without its query; `known` says whether the path has other methods. */
export function findOperation(method: string, path: string): Found | { readonly known: boolean } {
  const there = operations.flatMap((operation): Found[] => {
    const named = namedBy(operation, path);
    return named === undefined ? [] : [{ operation, ...named }];
  });
  const found = there.find(({ operation }) => operation.method === method);
  return found ?? { known: there.length > 0 };
}

function namedBy({ prefix, parameter }: Operation, path: string): { named: string | undefined; exactly: boolean } | undefined {
  if (path.length < prefix.length) return undefined;
  const begins = path.slice(0, prefix.length);
  if (begins !== prefix && begins.toLowerCase() !== prefix.toLowerCase()) return undefined;
  const rest = path.slice(prefix.length);
  const plain = rest.replace(/\/$/, '');
  const exactly = begins === prefix && plain === rest;
  if (parameter === undefined) return plain === '' ? { named: undefined, exactly } : undefined;
  return plain === '' || plain.includes('/') ? undefined : { named: plain, exactly };
}

const common = new Set(['adjustmentAmount', 'notes', 'actionedAtUtc', 'uniqueAdjustmentId', 'giftCardCode']);

/** The field that names the card in an adjustment by ID. Which one does is open: giftCardId, or the only one that is not any other. */
export function cardFieldIn(asked: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(asked).filter((name) => !common.has(name));
  return names.includes('giftCardId') ? 'giftCardId' : names.length === 1 ? names[0] : undefined;
}
