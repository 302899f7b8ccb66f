import type { FaultsState } from '../faults/faults.ts';
import { type FaultRule, objectionTo } from '../faults/rule.ts';
import { operations } from '../operations/operations.ts';
import {
  count,
  list,
  moment,
  nameIn,
  number,
  object,
  oneOf,
  orNull,
  type Shape,
  such,
  text,
  truth,
  tuple,
  unless,
  whole,
} from './shape.ts';

/** What the faults of an account must be like for them to be shown, and to strike its calls. */

export const chance: Shape<readonly number[]> = (value) => tuple(whole, whole, whole, whole)(value);
export const operation = nameIn(operations);
const positive = such(whole, (value) => (value < 1 ? 'a number from 1' : undefined));
const rule = unless(
  object<FaultRule>({
    fault: oneOf<FaultRule['fault']>({ status: true, 'rate-limit': true, delay: true, reset: true, truncate: true }),
    operation: orNull(operation),
    when: oneOf<FaultRule['when']>({ before: true, after: true }),
    status: orNull(whole),
    body: orNull(text),
    milliseconds: such(count, (value) => (value > LONGEST ? `a number up to ${LONGEST}` : undefined)),
    first: orNull(positive),
    nth: orNull(positive),
    probability: orNull(such(number, (value) => (value < 0 || value > 1 ? 'a number from 0 to 1' : undefined))),
  }),
  objectionTo,
);

/** Ten minutes, as the control door has it. */
const LONGEST = 600_000;

type Standing = FaultsState['standing'][number];
const trial = object<Standing['trials'][number]>({
  operation,
  unique: orNull(text),
  content: text,
  exactly: orNull(text),
  rule,
  at: moment,
  age: number,
  done: truth,
  again: orNull(number),
  other: (value) => (value === false ? false : orNull(text)(value)),
  looked: truth,
  left: truth,
});

export const faults = object<FaultsState>({
  made: count,
  chance,
  standing: list(object<Standing>({ id: text, rule, calls: count, hits: count, trials: list(trial) })),
});
