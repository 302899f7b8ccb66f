import type { Readings } from '../../openapi/generated/clauses.ts';
import type { Delivery, Letter } from '../effects/delivery.ts';
import { unsigned } from '../effects/letter.ts';
import type { Posted } from '../effects/post.ts';
import type { Topic } from '../outcome.ts';
import type { WebhookRecord } from '../records.ts';
import { type DrillRule, judge, TO_BE_REFUSED } from './drill.ts';
import { signedAfterParsing, unusual, wronglySigned } from './tampering.ts';
import type { Verdict } from './trial.ts';

/** So many deliveries of one drill are told of; of more, the last ones. */
const MOST_TOLD = 100;

/** One delivery that a drill was made with. */
interface Drilled extends Verdict {
  readonly requestId: string;
  readonly webhookId: string;
  readonly topic: Topic;
}

interface Standing {
  readonly id: string;
  readonly rule: DrillRule;
  left: number;
  drilled: Drilled[];
}

export interface DrillView extends DrillRule {
  readonly id: string;
  /** Deliveries that it is still for. */
  readonly left: number;
  /** Of all deliveries together: `failed` when the receiver did wrong with one, `waiting` while one is to come. */
  readonly verdict: Verdict['verdict'];
  readonly deliveries: readonly Drilled[];
}

/** A drill as it is made with one delivery. */
export interface Exercise {
  readonly id: string;
  readonly rule: DrillRule;
}

export interface DrillsState {
  readonly made: number;
  readonly standing: readonly Standing[];
}

/** The drills that an account's receivers are tried with. No failure of a drill costs a webhook anything. */
export class Drills {
  #standing: Standing[] = [];
  #made = 0;

  /** The drill that is made with this delivery, if there is one; it has one less to make after that. Reorders are asked for on their own. */
  take({ requestId, webhookId, topic }: Delivery, webhook: WebhookRecord, reorder = false): Exercise | undefined {
    const found = this.#standing.find(({ left, rule }) => {
      if ((rule.drill === 'reorder') !== reorder) return false;
      if (left === 0 || (rule.topic !== null && rule.topic !== topic)) return false;
      if (rule.webhookId !== null && rule.webhookId !== webhookId) return false;
      return webhook.token !== null || !TO_BE_REFUSED.includes(rule.drill);
    });
    if (!found) return undefined;
    found.left--;
    found.drilled.push({ requestId, webhookId, topic, verdict: 'waiting', sentence: 'It has no answer yet.' });
    if (found.drilled.length > MOST_TOLD) found.drilled.shift();
    return { id: found.id, rule: found.rule };
  }

  /** Notes what the receiver answered to the posts of a drilled delivery. */
  heard({ id, rule }: Exercise, { requestId }: Delivery, answers: readonly Posted[]): void {
    const standing = this.#standing.find((each) => each.id === id);
    if (!standing) return;
    const verdict = judge(rule.drill, answers);
    standing.drilled = standing.drilled.map((one) => (one.requestId === requestId ? { ...one, ...verdict } : one));
    if (verdict.verdict === 'waiting') standing.left++;
  }

  /** A delivery that never left tried nobody. */
  missed({ id }: Exercise, { requestId }: Delivery): void {
    const standing = this.#standing.find((each) => each.id === id);
    if (!standing) return;
    standing.drilled = standing.drilled.filter((one) => one.requestId !== requestId);
    standing.left++;
  }

  has(id: string): boolean {
    return this.#standing.some((each) => each.id === id);
  }

  add(rule: DrillRule): DrillView {
    const standing: Standing = { id: `drill-${++this.#made}`, rule, left: rule.next, drilled: [] };
    this.#standing.push(standing);
    return viewOf(standing);
  }

  /** In the order in which they were set. */
  all(): DrillView[] {
    return this.#standing.map(viewOf);
  }

  /** Takes one away and tells how it ended; undefined when there is none of this id. */
  remove(id: string): DrillView | undefined {
    const found = this.#standing.find((each) => each.id === id);
    this.#standing = this.#standing.filter((each) => each !== found);
    return found && viewOf(found);
  }

  state(): DrillsState {
    return { made: this.#made, standing: this.#standing.map((each) => ({ ...each, drilled: [...each.drilled] })) };
  }

  static from({ made, standing }: DrillsState): Drills {
    const drills = new Drills();
    drills.#made = made;
    drills.#standing = standing.map((each) => ({ ...each, drilled: [...each.drilled] }));
    return drills;
  }
}

/** What a drill posts before the real delivery, to be refused. */
export function bait({ rule }: Exercise, body: string, token: string | null, readings: Readings): Letter | undefined {
  if (token === null) return undefined;
  switch (rule.drill) {
    case 'wrong-signature':
      return wronglySigned(body, token, readings);
    case 'unsigned':
      return unsigned(body, readings);
    case 'signed-after-parsing':
      return signedAfterParsing(body, token, readings);
    default:
      return undefined;
  }
}

/** What a drill posts instead of the real delivery; undefined where that goes as it is. */
export function instead({ rule }: Exercise, body: string, token: string | null, readings: Readings): Letter | undefined {
  return rule.drill === 'unusual-bytes' ? unusual(body, token, readings) : undefined;
}

function viewOf({ id, rule, left, drilled }: Standing): DrillView {
  const verdict = drilled.some((one) => one.verdict === 'failed')
    ? 'failed'
    : left > 0 || drilled.some((one) => one.verdict === 'waiting')
      ? 'waiting'
      : 'passed';
  return { id, ...rule, left, verdict, deliveries: drilled };
}
