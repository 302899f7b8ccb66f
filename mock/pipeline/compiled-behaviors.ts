import type { Behaviors } from '../../openapi/generated/clauses.ts';
import { askingOf } from '../contract/parse/asking.ts';
import { type Dress, dressOf } from '../contract/render/dress.ts';
import { type Form, formOf } from '../contract/render/form.ts';
import { type Hush, hushOf } from '../state/updates.ts';
import { orderOf, type Step } from './precedence.ts';

/** What the behaviors of an account come to for its requests, worked out once for each set of them. */
interface Manner {
  /** What may be refused, in its order. */
  readonly order: readonly Step[];
  /** The behaviors, where a request is read otherwise than by default. */
  readonly asking: Behaviors | undefined;
  /** What is done to an answer's headers; nothing by default. */
  readonly dress: Dress | undefined;
  /** In which form replies are written; as they are by default. */
  readonly form: Form | undefined;
  /** Which changes of a card are no update of it; none by default. */
  readonly hush: Hush | undefined;
}

const manners = new WeakMap<Behaviors, Manner>();

export function mannerOf(behaviors: Behaviors): Manner {
  let manner = manners.get(behaviors);
  if (!manner) {
    manner = {
      order: orderOf(behaviors),
      asking: askingOf(behaviors),
      dress: dressOf(behaviors),
      form: formOf(behaviors),
      hush: hushOf(behaviors),
    };
    manners.set(behaviors, manner);
  }
  return manner;
}
