import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Pace, Way } from './aligned-steps.ts';
import type { Unexplained } from './comparison.ts';
import { groupOf, keyOf, type Parting } from './json-diff.ts';
import { shownStep } from './shown.ts';

interface Found {
  readonly thing: Unexplained;
  readonly parted: Parting;
  readonly operations: Set<string>;
}

/** What answers differ in under clauses that came out alike, each thing once with how often it was seen. */
export class UnexplainedThings {
  readonly #found = new Map<string, Found>();
  /** How many answers of an operation there were by their status, and in how many of them something was seen. */
  readonly #answers = new Map<string, number>();
  readonly #seenIn = new Map<string, number>();
  /** What several clauses share was done once. */
  readonly #seen = new WeakSet<Exchange>();

  see(clause: ClauseName, { paces, bound }: Way): void {
    for (const [index, pace] of paces.entries()) {
      if (!pace.a || !pace.b || this.#seen.has(pace.a.exchange)) continue;
      this.#seen.add(pace.a.exchange);
      const of = answersOf(pace);
      count(this.#answers, of);
      for (const group of new Set(pace.partings.map(groupOf))) count(this.#seenIn, `${of} ${group}`);
      const groups = new Map(pace.partings.map((parting) => [acrossOperations(parting), parting]));
      for (const [key, parting] of groups) {
        if (isSent(parting)) continue;
        const { operation, place, a, b } = parting;
        const found = this.#found.get(key) ?? {
          thing: {
            operation,
            place,
            a: bound.symbols(a, 'a'),
            b: bound.symbols(b, 'b'),
            exchanges: 0,
            seen: { clause, step: shownStep(pace, index + 1, bound) },
          },
          parted: parting,
          operations: new Set<string>(),
        };
        found.thing.exchanges += 1;
        found.operations.add(operation);
        if (found.operations.size > 1) found.thing.operation = '';
        this.#found.set(key, found);
      }
    }
  }

  /** Whether answers of that operation differ so each time, so that no clause is to blame for it. */
  isUsual(pace: Pace, parting: Parting): boolean {
    const of = answersOf(pace);
    const answers = this.#answers.get(of) ?? 0;
    return answers > 0 && this.#seenIn.get(`${of} ${groupOf(parting)}`) === answers;
  }

  /** Takes out what was seen of these, whichever operation shows it, since a clause tells it. */
  takeOut(pace: Pace): Unexplained[] {
    return pace.partings.flatMap((parting) => {
      if (this.isUsual(pace, parting)) return [];
      const told = [...this.#found].filter(
        ([key, { parted }]) => key === acrossOperations(parting) || isSameWord(parted, parting),
      );
      for (const [key] of told) this.#found.delete(key);
      return told.map(([, { thing }]) => thing);
    });
  }

  /** What was seen most often first. */
  left(): Unexplained[] {
    return [...this.#found.values()].map(({ thing }) => thing).toSorted((one, other) => other.exchanges - one.exchanges);
  }
}

const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

const answersOf = ({ a }: Pace): string => `${a?.operation} ${a?.exchange.status}`;

/** One word in the place of another, under one name. */
const isSameWord = (one: Parting, other: Parting): boolean =>
  one.how === 'value' &&
  groupOf(one) !== keyOf(one) &&
  groupOf({ ...one, operation: '' }) === groupOf({ ...other, operation: '' });

/** What was sent differs only because of what had been answered. */
const isSent = ({ place }: Parting): boolean => place.startsWith('sent ');

/** A header is no matter of one operation. */
const acrossOperations = (parting: Parting): string =>
  groupOf(parting.place.startsWith('header ') ? { ...parting, operation: '' } : parting);
