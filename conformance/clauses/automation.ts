import { clause } from '../core/clause.ts';
import { accepted, holds, same, sameAmount, told } from '../core/expect.ts';
import { cardStatuses } from '../core/spec-constants.ts';
import type { AutomationEvent } from '../core/target.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { leaves, mentions, namesIn, spelledNamesIn } from '../http/structure.ts';
import {
  automationCount,
  automationStatuses,
  eventAndRepeats,
  eventsUntilLimit,
  eventsWithAmounts,
  type Issued,
  idleEvent,
  largerAmount,
  ownAmount,
  type SentEvent,
  smallAmount,
} from '../scenarios/events.ts';

const needs = ['automationEvent'] as const;

clause('automation.uses-snake-case', { needs }, async (t, { automationEvent }) => {
  t.doesNotCheck('names within a card of the answer (ambiguous)');
  const { first } = await eventAndRepeats(t, automationEvent);
  await t.control('the event of snake_case names ran an automation', async () => ran(first, automationEvent));
  const ofCards = new Set(first.cards.flatMap(({ record }) => namesIn(record)));
  const names = spelledNamesIn(first.answer.json, ...automationStatuses, first.recipient);
  const others = names.filter((name) => !ofCards.has(name) && !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name));
  same(others, [], 'names in the answer that are not in snake_case');
});

const count = ({ statuses }: SentEvent, wanted: string) => statuses.filter((status) => status === wanted).length;

/** One run of every automation that is meant to run. */
function ran(what: SentEvent, event: AutomationEvent): void {
  const wanted = automationCount(event);
  const seen = count(what, 'Created');
  holds(seen === wanted && what.statuses.length === wanted, `${wanted} × Created`, what.statuses.join(', ') || told(what.answer));
  holds(what.cards.length === wanted, `${wanted} cards that can be looked up`, `${what.cards.length}`);
}

clause('automation.runs-every-match', { needs }, async (t, { automationEvent }) => {
  ran((await eventAndRepeats(t, automationEvent)).first, automationEvent);
});

clause('automation.matches-name', { needs }, async (t, { automationEvent }) => {
  const { first } = await eventAndRepeats(t, automationEvent);
  await t.control('the event that automations wait for', async () => ran(first, automationEvent));
  const { name } = automationEvent;
  const others = [`${name}-${t.run.ledger.fresh()}`, name.slice(0, -1), name.slice(1)].filter((other) => other !== '');
  for (const other of others) {
    const answer = await idleEvent(t, 'that no automation waits for', { event_name: other, amount: 1 });
    holds(answer.status < 500, 'an answer', told(answer));
    const statuses = ['Created', 'SkippedIdempotent', 'SkippedUsageLimit'].filter((status) => mentions(answer.json, status));
    same(statuses, [], 'runs of automations for an event with another name');
  }
});

async function onlyThoseMeant(t: Trial, event: AutomationEvent, there: boolean | undefined, what: string): Promise<void> {
  if (!there) throw new Untested('fixture-missing', `the profile says of no automation of that event name that it is ${what}`);
  ran((await eventAndRepeats(t, event)).first, event);
}

clause('automation.skips-inactive', { needs }, async (t, { automationEvent }) => {
  await onlyThoseMeant(t, automationEvent, automationEvent.hasInactive, 'switched off');
});

clause('automation.skips-other-triggers', { needs }, async (t, { automationEvent }) => {
  await onlyThoseMeant(t, automationEvent, automationEvent.hasOtherTrigger, 'set off by something else');
});

clause('automation.issues-reward-to-recipient', { needs }, async (t, { automationEvent }) => {
  const { first, reached } = await eventAndRepeats(t, automationEvent);
  await t.control('the event ran its automations', async () => ran(first, automationEvent));
  holds(reached, 'the card among those of its recipient', told(first.answer));
});

clause('automation.own-amount', { needs }, async (t, { automationEvent }) => {
  const { first } = await eventAndRepeats(t, automationEvent);
  const [one] = first.cards;
  if (automationCount(automationEvent) > 1) t.doesNotCheck('the amounts of the others: the profile tells one');
  holds(one !== undefined, 'a card', told(first.answer));
  const amounts = first.cards.map(({ card }) => card.balance);
  const own = ownAmount(t, automationEvent);
  holds(amounts.includes(own), `a card of ${own}`, `cards of ${amounts.join(', ')}`);
});

clause('automation.amount-overrides', { needs }, async (t, { automationEvent }) => {
  const { first } = await eventAndRepeats(t, automationEvent);
  await t.control('an event without amount gives another amount', async () =>
    holds(
      first.cards.some(({ card }) => card.balance !== smallAmount),
      `another amount than ${smallAmount}`,
      `${smallAmount}`,
    ),
  );
  for (const [index, { answer, cards }] of (await eventsWithAmounts(t, automationEvent)).entries()) {
    const amount = index === 0 ? smallAmount : largerAmount(t, automationEvent);
    holds(cards.length > 0, 'a card', told(answer));
    for (const { card } of cards)
      sameAmount(card.balance, amount, `balance of a card of an event with amount ${amount.toFixed(2)}`);
  }
});

/** What the answer surely says of a card is what looking it up says: its balance, its status, and whose it is. */
function tellsTheSame({ record, card }: Issued, { recipient }: SentEvent): void {
  for (const { path, value } of leaves(record)) {
    if (/\/balance$/i.test(path) && typeof value === 'number')
      sameAmount(value, card.balance as number, 'balance of the card in the answer');
    if (/\/status$/i.test(path) && isCardStatus(value)) same(value, card.status, 'status of the card in the answer');
    if (/recipient/i.test(path) && /^[^@\s]+@[^@\s]+$/.test(String(value)))
      same(String(value).toLowerCase(), recipient.toLowerCase(), 'recipient of the card in the answer');
  }
}

const isCardStatus = (value: unknown) => cardStatuses.includes(String(value));

clause('automation.answers-cards-and-runs', { needs }, async (t, { automationEvent }) => {
  const { first, repeat } = await eventAndRepeats(t, automationEvent);
  ran(first, automationEvent);
  for (const each of first.cards) tellsTheSame(each, first);
  holds(
    repeat.statuses.length === automationCount(automationEvent),
    'a status of each automation also where it was skipped',
    told(repeat.answer),
  );
});

clause('automation.status-created', { needs }, async (t, { automationEvent }) => {
  const { first } = await eventAndRepeats(t, automationEvent);
  holds(first.cards.length > 0, 'a card that can be looked up', told(first.answer));
  same(count(first, 'Created'), first.cards.length, 'automations with the status Created');
});

clause('automation.status-skipped-idempotent', { needs }, async (t, { automationEvent }) => {
  const { first, repeat } = await eventAndRepeats(t, automationEvent);
  await t.control('the event for the first time', async () => ran(first, automationEvent));
  same(count(repeat, 'SkippedIdempotent'), automationCount(automationEvent), 'automations with the status SkippedIdempotent');
});

clause('automation.status-skipped-usage-limit', { needs: ['usedUpAutomationEvent'] }, async (t, { usedUpAutomationEvent }) => {
  t.doesNotCheck('the status where both key and limit would skip (open)');
  const seen = await eventsUntilLimit(t, usedUpAutomationEvent);
  const last = seen.at(-1) as SentEvent;
  accepted(last.answer, 'the event whose automation is used up');
  same(last.statuses, ['SkippedUsageLimit'], 'status of the automation that is used up');
  same(last.cards.length, 0, 'cards of the automation that is used up');
});
