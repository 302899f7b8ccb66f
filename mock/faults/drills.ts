import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { Topic } from '../domain/outcome.ts';
import type { Delivery, Letter } from '../outbound/delivery.ts';
import type { Posted } from '../outbound/post.ts';
import { unsigned } from '../outbound/signed-request.ts';
import type { WebhookRecord } from '../state/records.ts';
import { type DrillRule, type Judged, judge, TO_BE_REFUSED } from './drill.ts';
import { type One, Standing, type StandingState } from './standing.ts';
import { signedAfterParsing, unusual, wronglySigned } from './tampering.ts';
import type { Verdict } from './trial.ts';

/** So many deliveries of one drill are told of; of more, the last ones. */
const MOST_TOLD = 100;

/** One delivery that a drill was made with. */
interface Drilled {
  readonly requestId: string;
  readonly webhookId: string;
  readonly topic: Topic;
  /** Unanswered ones are tried again with another delivery. */
  readonly verdict: Judged['verdict'];
  readonly sentence: string;
}

interface StandingDrill extends One<DrillRule> {
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
export type Exercise = One<DrillRule>;

export type DrillsState = StandingState<StandingDrill>;

/** The drills that an account's receivers are tried with. No failure of a drill costs a webhook anything. */
export class Drills extends Standing<DrillRule, StandingDrill, DrillView> {
  constructor() {
    super('drill', viewOf);
  }

  /** The drill that is made with this delivery, if there is one; it has one less to make after that. Reorders are asked for on their own. */
  take({ requestId, webhookId, topic }: Delivery, webhook: WebhookRecord, reorder = false): Exercise | undefined {
    const found = this.standing.find(({ left, rule }) => {
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
    const standing = this.find(id);
    if (!standing) return;
    const verdict = judge(rule.drill, answers);
    standing.drilled = standing.drilled.map((one) => (one.requestId === requestId ? { ...one, ...verdict } : one));
    if (verdict.verdict === 'unanswered') standing.left++;
  }

  /** A delivery that never left tried nobody. */
  missed({ id }: Exercise, { requestId }: Delivery): void {
    const standing = this.find(id);
    // Of a pair, it is told of each.
    if (!standing?.drilled.some((one) => one.requestId === requestId)) return;
    standing.drilled = standing.drilled.filter((one) => one.requestId !== requestId);
    standing.left++;
  }

  /** With those deliveries taken back that are `undecided`: each is open again, for another one. */
  state(undecided: ReadonlySet<string>): DrillsState {
    return this.captured(({ left, drilled, ...one }) => {
      const decided = drilled.filter(({ verdict, requestId }) => verdict !== 'waiting' || !undecided.has(requestId));
      return { ...one, left: left + drilled.length - decided.length, drilled: decided };
    });
  }

  static from(state: DrillsState): Drills {
    const drills = new Drills();
    drills.putBack(state, copyOf);
    return drills;
  }

  protected begun(one: One<DrillRule>): StandingDrill {
    return { ...one, left: one.rule.next, drilled: [] };
  }
}

function copyOf(standing: StandingDrill): StandingDrill {
  return { ...standing, drilled: [...standing.drilled] };
}

/** What a drill posts before the real delivery, to be refused. */
export function bait({ rule }: Exercise, body: string, token: string | null, behaviors: Behaviors): Letter | undefined {
  if (token === null) return undefined;
  switch (rule.drill) {
    case 'wrong-signature':
      return wronglySigned(body, token, behaviors);
    case 'unsigned':
      return unsigned(body, behaviors);
    case 'signed-after-parsing':
      return signedAfterParsing(body, token, behaviors);
    default:
      return undefined;
  }
}

/** What a drill posts instead of the real delivery; undefined where that goes as it is. */
export function instead({ rule }: Exercise, body: string, token: string | null, behaviors: Behaviors): Letter | undefined {
  return rule.drill === 'unusual-bytes' ? unusual(body, token, behaviors) : undefined;
}

function viewOf({ id, rule, left, drilled }: StandingDrill): DrillView {
  const verdict = drilled.some((one) => one.verdict === 'failed')
    ? 'failed'
    : left > 0 || drilled.some((one) => one.verdict === 'waiting')
      ? 'waiting'
      : 'passed';
  return { id, ...rule, left, verdict, deliveries: drilled };
}
