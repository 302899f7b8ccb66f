import type { Topic } from '../domain/outcome.ts';
import type { DrillRule, Judged } from '../faults/drill.ts';
import type { DrillsState, Exercise } from '../faults/drills.ts';
import { count, list, object, oneOf, orNull, text } from './shape.ts';

/** What the drills of an account must be like for them to be shown, and made with its deliveries. */

export const topic = oneOf<Topic>({
  'giftcard/updated': true,
  'giftcard/gifted': true,
  'giftcard/reminder': true,
  'giftcard/voided': true,
  'giftcard/expired': true,
});
const rule = object<DrillRule>({
  drill: oneOf<DrillRule['drill']>({
    duplicate: true,
    reorder: true,
    delay: true,
    'unusual-bytes': true,
    'wrong-signature': true,
    unsigned: true,
    'signed-after-parsing': true,
  }),
  topic: orNull(topic),
  webhookId: orNull(text),
  next: count,
  milliseconds: count,
});

/** A drill as it is made with one delivery. */
export const exercise = object<Exercise>({ id: text, rule });

type Standing = DrillsState['standing'][number];
const drilled = object<Standing['drilled'][number]>({
  requestId: text,
  webhookId: text,
  topic,
  verdict: oneOf<Judged['verdict']>({ waiting: true, passed: true, failed: true, unanswered: true }),
  sentence: text,
});

export const drills = object<DrillsState>({
  made: count,
  standing: list(object<Standing>({ id: text, rule, left: count, drilled: (value) => [...list(drilled)(value)] })),
});
