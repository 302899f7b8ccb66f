import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { planOf } from '../../openapi/effective/plan.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { ClauseResult } from '../core/result.ts';
import { rowsSeen } from '../learn/agreeing.ts';
import { type Way, wayOf } from './aligned-steps.ts';
import type { Difference } from './comparison.ts';
import { Explained } from './explained.ts';
import type { Parting, Volatile } from './json-diff.ts';
import { type Ran, type Speaker, type Spoken, speaker } from './normalized.ts';
import { firstParting, shownStep } from './shown.ts';
import type { UnexplainedThings } from './unexplained.ts';

type Shows = Pick<Difference, 'step' | 'elsewhere'>;

/** Finds where a clause that came out otherwise first parts. */
export class Where {
  readonly #unexplained: UnexplainedThings;
  readonly #volatile: Volatile;
  /** By the names that stand on the wire. */
  readonly #speakers: { readonly a: Speaker; readonly b: Speaker };

  constructor(a: Ran, b: Ran, unexplained: UnexplainedThings, volatile: Volatile) {
    const plain = new Reader(standardDocument, []);
    this.#speakers = { a: speaker(plain, a), b: speaker(plain, b) };
    this.#unexplained = unexplained;
    this.#volatile = volatile;
  }

  /** Takes out of what is unexplained what parts the clause there, since the clause tells it. */
  of(a: ClauseResult, b: ClauseResult, way: Way): Shows {
    const onTheWire = this.#onTheWire(a, b);
    if (onTheWire) return onTheWire;
    const index = firstParting(way, (pace, parting) => this.#unexplained.isUsual(pace, parting));
    const pace = way.paces[index ?? -1];
    if (!pace || index === undefined) return {};
    const elsewhere = this.#unexplained.takeOut(pace);
    return { step: shownStep(pace, index + 1, way.bound), ...(elsewhere.length > 0 ? { elsewhere } : {}) };
  }

  /** Where a name, a place, a status or a body is another by the clause itself. */
  #onTheWire(a: ClauseResult, b: ClauseResult): Shows | undefined {
    const [ours, theirs] = [rowsSeen([a]), rowsSeen([b])];
    if (ours.length + theirs.length === 0) return undefined;
    const own = new Explained(planOf(ours), planOf(theirs));
    const { paces, bound } = wayOf(a.exchanges, b.exchanges, this.#speakers, this.#volatile);
    const parted = (isIt: (parting: Parting, one: Spoken, other: Spoken) => boolean) =>
      paces.findIndex(({ a: one, b: other, partings }) => one && other && partings.some((parting) => isIt(parting, one, other)));
    const shows = parted((parting, one, other) => own.follows(parting, one, other));
    // A name that one of them does not know is refused there.
    const index = shows >= 0 ? shows : parted(({ how }) => how === 'status');
    const pace = paces[index];
    return pace && { step: shownStep(pace, index + 1, bound) };
  }
}
