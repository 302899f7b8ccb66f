import type { Readings } from '../openapi/generated/clauses.ts';
import { type Dress, dressOf } from './answering/dress.ts';
import { type Form, formOf } from './answering/form.ts';
import { askingOf } from './asking/asking.ts';
import { orderOf, type Step } from './order.ts';
import { type Hush, hushOf } from './state/updates.ts';

/** What the readings of an account come to for its requests, worked out once for each set of them. */
interface Manner {
  /** What may be refused, in its order. */
  readonly order: readonly Step[];
  /** The readings, where a request is read otherwise than by default. */
  readonly asking: Readings | undefined;
  /** What is done to an answer's headers; nothing by default. */
  readonly dress: Dress | undefined;
  /** In which form replies are written; as they are by default. */
  readonly form: Form | undefined;
  /** Which changes of a card are no update of it; none by default. */
  readonly hush: Hush | undefined;
}

const manners = new WeakMap<Readings, Manner>();

export function mannerOf(readings: Readings): Manner {
  let manner = manners.get(readings);
  if (!manner) {
    manner = {
      order: orderOf(readings),
      asking: askingOf(readings),
      dress: dressOf(readings),
      form: formOf(readings),
      hush: hushOf(readings),
    };
    manners.set(readings, manner);
  }
  return manner;
}
