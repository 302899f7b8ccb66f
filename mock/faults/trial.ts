import { elapsed } from '../account/clock.ts';
import { type Deed, harms } from './deed.ts';
import type { FaultRule } from './rule.ts';

/** A call that was struck, and what the caller has done about it since. Plain values, but for `real`. */
export interface Trial extends Deed {
  readonly rule: FaultRule;
  /** On the account's clock. */
  readonly at: number;
  /** On the machine's, as `elapsed` counts. */
  readonly real: number;
  /** Whether the change was made that the caller was not told of. */
  done: boolean;
  /** Milliseconds until the same call came again, on whichever clock shows more; null while it has not. */
  again: number | null;
  /** Another value, or none (null), under which the same content came. */
  other: string | null | undefined;
  /** Whether the caller looked what there is, where that is how to find out. */
  looked: boolean;
  /** Whether the caller hung up before a late answer. */
  left: boolean;
}

/** `waiting` is for what the caller has not done yet. */
export interface Verdict {
  readonly verdict: 'waiting' | 'passed' | 'failed';
  readonly sentence: string;
}

/** Who is refused for asking too often waits this long at least. */
const SHORTEST_PAUSE = 1000;

/** What comes later than this under another value, in milliseconds, is another order, as far as anybody can tell. */
const SAME_ORDER = 60_000;

/** Notes what a later call of the account says about how the caller took it; a repeat of some other call that was struck says nothing. */
export function watch(trial: Trial, deed: Deed, now: number, isRepeatOfStruck: boolean): void {
  if (trial.operation === 'createWebhook' && deed.operation === 'listWebhooks') trial.looked = true;
  if (trial.operation !== deed.operation) return;
  const since = Math.max(now - trial.at, elapsed() - trial.real);
  const isRepeat = trial.unique === null ? sameAndUnnamed(trial, deed) : trial.unique === deed.unique;
  if (isRepeat) {
    // Something of the same content that came in between was something else after all.
    if (trial.again === null) trial.other = undefined;
    trial.again ??= since;
    return;
  }
  if (trial.other !== undefined || since >= SAME_ORDER || isRepeatOfStruck || !harms[trial.operation]) return;
  // Who has asked again with the same value knows how to; after that only the very same, for the very same, is more than the like of it.
  const isSame = trial.again === null ? trial.content === deed.content : trial.exactly !== null && trial.exactly === deed.exactly;
  if (isSame) trial.other = deed.unique;
}

function sameAndUnnamed(trial: Trial, deed: Deed): boolean {
  return deed.unique === null && trial.content === deed.content;
}

/** How the caller took the fault, from what came since. */
export function verdictOn(trial: Trial): Verdict {
  const { fault, status } = trial.rule;
  if (fault === 'rate-limit' || status === 429) return onPause(trial);
  if (fault === 'status' && status !== null && status < 500 && status !== 408 && !trial.done) return onRejection(trial);
  const harm = harms[trial.operation];
  if (!harm) return onHarmless(trial);
  // What the service itself refused was not done, and may be put in another way.
  if (trial.rule.when === 'after' && !trial.done) return onHarmless(trial);

  const before = trial.done ? 'The change was made' : 'Nothing was changed this time, but the caller cannot know that';
  const remedy = remedyFor(trial, harm.unique[0]);
  const twice = trial.done ? harm.doubled : `${harm.doubled} when the change was made`;
  if (trial.unique === null && trial.again !== null) {
    if (harm.unique.length > 0)
      return failed(`${before}; the same came again with nothing to know it by, which ${twice}. ${remedy}`);
    return trial.looked
      ? passed('Before asking again, the caller looked what there is.')
      : failed(`${before}; the same came again without a look at what there is, which ${twice}. ${remedy}`);
  }
  if (trial.other !== undefined) {
    const instead = trial.other === null ? 'with nothing to know it by' : `under ${trial.other}`;
    const from = trial.unique === null ? '' : ` instead of ${trial.unique}`;
    const first = trial.again === null ? '' : 'it was asked again with the same value, but then ';
    return failed(`${before}; ${first}the same was asked for ${instead}${from}, which ${twice}. ${remedy}`);
  }
  if (trial.again !== null) return passed(`Asked again with the same ${trial.unique}.`);
  if (trial.looked) return passed('The caller looked what there is.');
  return unanswered(trial);
}

/** Where nothing more was seen: a late answer that was waited for is as good as any. */
function unanswered(trial: Trial): Verdict {
  if (trial.rule.fault === 'delay' && !trial.left && elapsed() - trial.real >= trial.rule.milliseconds)
    return passed('The caller waited for the late answer and did not ask for the same meanwhile.');
  return waiting(trial.left ? 'The caller hung up and has not asked again yet.' : 'No retry was seen yet.');
}

function onHarmless(trial: Trial): Verdict {
  return trial.again === null ? unanswered(trial) : passed('Asked again, which does no harm here.');
}

/** A 4xx is the caller's to mend; the same again gets the same. */
function onRejection({ again, rule }: Trial): Verdict {
  if (again === null) return passed(`Not asked again in the same way after ${rule.status}.`);
  return failed(`The same call came again after ${rule.status}, which gets no better by itself. Mend the request, or report it.`);
}

/** limits.rate-refuses-excess: wait and retry. */
function onPause({ again }: Trial): Verdict {
  if (again === null) return waiting('The call has not come again yet.');
  const after = `The same call came again after ${Math.round(again)} ms`;
  if (again >= SHORTEST_PAUSE) return passed(`${after}.`);
  return failed(`${after}. Wait a second at least, and longer each time: the rate is counted over a minute.`);
}

function remedyFor({ operation }: Trial, unique: string | undefined): string {
  if (unique === undefined) return 'List the webhooks first, and register only what is missing.';
  const success = operation === 'createAutomationTriggerEvent' ? 'SkippedIdempotent' : '"already created"';
  const naming = `Choose one ${unique} for each ${operation === 'createGiftCard' ? 'card' : 'deed'}, repeat with the same one`;
  return operation === 'createWebStoreCoupon'
    ? 'Repeat with the same code, and take "already exists" as success.'
    : `${naming}, and take ${success} as success.`;
}

function waiting(sentence: string): Verdict {
  return { verdict: 'waiting', sentence };
}

function passed(sentence: string): Verdict {
  return { verdict: 'passed', sentence };
}

function failed(sentence: string): Verdict {
  return { verdict: 'failed', sentence };
}
