import { byEmail } from '../arrange/cards.ts';
import { expected, type Happened, happened, idleEvent, small, usingUp } from '../arrange/events.ts';
import { clause } from '../clause.ts';
import { accepted, holds, same, sameAmount, told } from '../expect.ts';
import { mentions, namesIn } from '../structure.ts';
import type { AutomationEvent } from '../target.ts';
import type { Trial } from '../trial.ts';
import { Untested } from '../verdict.ts';

const needs = ['automationEvent'] as const;

clause('automation.uses-snake-case', { needs }, async (t, { automationEvent }) => {
  t.notJudged = 'names within a card of the answer (ambiguous)';
  const { first } = await happened(t, automationEvent);
  await t.control('the event of snake_case names ran an automation', async () => ran(first, automationEvent));
  const ofCards = new Set(first.cards.flatMap(({ record }) => namesIn(record)));
  const others = namesIn(first.answer.json).filter((name) => !ofCards.has(name) && !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name));
  same(others, [], 'names in the answer that are not in snake_case');
});

const count = ({ statuses }: Happened, wanted: string) => statuses.filter((status) => status === wanted).length;

/** One run of every automation that is meant to run. */
function ran(what: Happened, event: AutomationEvent): void {
  const wanted = expected(event);
  const seen = count(what, 'Created');
  holds(seen === wanted && what.statuses.length === wanted, `${wanted} × Created`, what.statuses.join(', ') || told(what.answer));
  holds(what.cards.length === wanted, `${wanted} cards that can be looked up`, `${what.cards.length}`);
}

clause('automation.runs-every-match', { needs }, async (t, { automationEvent }) => {
  ran((await happened(t, automationEvent)).first, automationEvent);
});

clause('automation.matches-name', { needs }, async (t, { automationEvent }) => {
  const { first } = await happened(t, automationEvent);
  await t.control('the event that automations wait for', async () => ran(first, automationEvent));
  const answer = await idleEvent(t, 'that no automation waits for', {
    event_name: `${automationEvent.name}-${t.run.ledger.fresh()}`,
  });
  holds(answer.status < 500, 'an answer', told(answer));
  const statuses = ['Created', 'SkippedIdempotent', 'SkippedUsageLimit'].filter((status) => mentions(answer.json, status));
  same(statuses, [], 'runs of automations for an event with another name');
});

async function onlyThoseMeant(t: Trial, event: AutomationEvent, there: boolean | undefined, what: string): Promise<void> {
  if (!there) throw new Untested('fixture-missing', `the profile says of no automation of that event name that it is ${what}`);
  ran((await happened(t, event)).first, event);
}

clause('automation.skips-inactive', { needs }, async (t, { automationEvent }) => {
  await onlyThoseMeant(t, automationEvent, automationEvent.hasInactive, 'switched off');
});

clause('automation.skips-other-triggers', { needs }, async (t, { automationEvent }) => {
  await onlyThoseMeant(t, automationEvent, automationEvent.hasOtherTrigger, 'set off by something else');
});

clause('automation.issues-reward-to-recipient', { needs }, async (t, { automationEvent }) => {
  const { first } = await happened(t, automationEvent);
  await t.control('the event ran its automations', async () => ran(first, automationEvent));
  const shown = first.cards.map(({ card, record }) => mentions(card, first.recipient) || mentions(record, first.recipient));
  if (shown.every(Boolean)) return;
  const [one] = first.cards;
  const wanted = { code: String(one?.card.code), id: one?.card.id as string };
  const found = await byEmail(t, first.recipient, { name: 'the card', answer: first.answer, ...wanted });
  holds(
    mentions(found.json, wanted.code) || mentions(found.json, wanted.id),
    'the card among those of its recipient',
    told(found),
  );
});

clause('automation.own-amount', { needs }, async (t, { automationEvent }) => {
  const { first } = await happened(t, automationEvent);
  const [one] = first.cards;
  if (expected(automationEvent) > 1) t.notJudged = 'the amounts of the others: the profile tells one';
  holds(one !== undefined, 'a card', told(first.answer));
  const amounts = first.cards.map(({ card }) => card.balance);
  holds(amounts.includes(automationEvent.amount), `a card of ${automationEvent.amount}`, `cards of ${amounts.join(', ')}`);
});

clause('automation.amount-overrides', { needs }, async (t, { automationEvent }) => {
  const { first } = await happened(t, automationEvent);
  await t.control('an event without amount gives another amount', async () =>
    holds(
      first.cards.some(({ card }) => card.balance !== 1),
      'another amount than 1.00',
      '1.00',
    ),
  );
  const [one] = await small(t, automationEvent);
  holds((one?.cards.length ?? 0) > 0, 'a card', one ? told(one.answer) : 'nothing');
  for (const { card } of one?.cards ?? []) sameAmount(card.balance, 1, 'balance of a card of an event with amount 1.00');
});

clause('automation.answers-cards-and-runs', { needs }, async (t, { automationEvent }) => {
  const { first, repeat } = await happened(t, automationEvent);
  ran(first, automationEvent);
  holds(
    repeat.statuses.length === expected(automationEvent),
    'a status of each automation also where it was skipped',
    told(repeat.answer),
  );
});

clause('automation.status-created', { needs }, async (t, { automationEvent }) => {
  const { first } = await happened(t, automationEvent);
  holds(first.cards.length > 0, 'a card that can be looked up', told(first.answer));
  same(count(first, 'Created'), first.cards.length, 'automations with the status Created');
});

clause('automation.status-skipped-idempotent', { needs }, async (t, { automationEvent }) => {
  const { first, repeat } = await happened(t, automationEvent);
  await t.control('the event for the first time', async () => ran(first, automationEvent));
  same(count(repeat, 'SkippedIdempotent'), expected(automationEvent), 'automations with the status SkippedIdempotent');
});

clause('automation.status-skipped-usage-limit', { needs: ['usedUpAutomationEvent'] }, async (t, { usedUpAutomationEvent }) => {
  t.notJudged = 'the status where both key and limit would skip (open)';
  const seen = await usingUp(t, usedUpAutomationEvent);
  const last = seen.at(-1) as Happened;
  accepted(last.answer, 'the event whose automation is used up');
  same(last.statuses, ['SkippedUsageLimit'], 'status of the automation that is used up');
  same(last.cards.length, 0, 'cards of the automation that is used up');
});
