import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { hasStatus } from '../core/expect.ts';
import type { AutomationEvent } from '../core/target.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { arrays, arraysIn, leaves, mentions, namesIn } from '../http/structure.ts';
import { event, type Happened, happened, idleEvent, recipient, usingUp } from '../scenarios/events.ts';
import { issuedRows, type RunPlaces, runPlaces } from '../scenarios/issued-places.ts';
import { list } from '../scenarios/lists.ts';
import { namedIn } from './names.ts';

/** What becomes of an event that nothing waits for, and of the same with something odd about it: which reading the difference shows. */
async function odd<R extends string, A extends string>(
  t: Trial,
  what: string,
  fields: Record<string, unknown>,
  [refused, accepted]: readonly [R, A],
): Promise<R | A | SomethingElse> {
  await t.control('the list', async () => hasStatus(await list(t, { pageSize: 1 }), 200, 'it'));
  const usual = await t.shared('an event that no automation waits for', (shared) =>
    idleEvent(shared, 'that no automation waits for'),
  );
  if (usual.status !== 200 && usual.status !== 404) return somethingElse(`answers ${usual.status} to any event of no automation`);
  const { status } = await idleEvent(t, what, fields);
  if (status === usual.status || status === 200) return accepted;
  return status === 400 || status === 422 ? refused : somethingElse(`answers ${status}`);
}

const required = ['required', 'optional'] as const;
const accepted = ['refused', 'accepted'] as const;

probe('automation.event-name-required', {}, (t) => odd(t, 'without event_name', { event_name: undefined }, required));

probe('automation.recipient-required', {}, (t) => odd(t, 'without recipient_email', { recipient_email: undefined }, required));

probe('automation.properties-required', {}, (t) => odd(t, 'without properties', { properties: undefined }, required));

probe('automation.property-types', {}, (t) =>
  odd(t, 'with a property that is a number', { properties: { gcs_number: 5 } }, ['refused', 'converted'] as const),
);

probe('automation.amount-not-positive', {}, (t) => odd(t, 'with an amount of 0', { amount: 0 }, accepted));

probe('automation.malformed-recipient', {}, (t) =>
  odd(t, 'for a recipient that is no address', { recipient_email: 'gcs' }, accepted),
);

const unmatched = (t: Trial): Promise<Answer> =>
  t.shared('an event that no automation waits for', (shared) => idleEvent(shared, 'that no automation waits for'));

probe('automation.no-match', {}, async (t) => {
  const answer = await unmatched(t);
  if (answer.status === 404) return '404';
  if (answer.status !== 200) return somethingElse(`answers ${answer.status}`);
  const lists = arrays(answer.json);
  return lists.length === 2 && lists.every((list) => list.length === 0)
    ? 'empty-lists'
    : somethingElse(`answers 200 with ${lists.length} lists`);
});

/** The names at the top of an answer to an event, and where its lists stand, if something is in them. */
async function lists(t: Trial): Promise<{ top: unknown; cards?: string | undefined; runs?: string | undefined }> {
  const { automationEvent } = t.run.profile;
  const first = automationEvent && (await happened(t, automationEvent)).first;
  const answer = first?.answer ?? (await unmatched(t));
  if (answer.status !== 200 || typeof answer.json !== 'object')
    throw new Untested(
      'fixture-missing',
      'an event of no automation has no names in its answer, and the profile gives no automationEvent',
    );
  const top = Object.fromEntries(Object.keys(answer.json ?? {}).map((name) => [name, null]));
  const holding = (isIt: (entry: unknown) => boolean) =>
    arraysIn(answer.json).find(({ items }) => items.length > 0 && items.every(isIt))?.path;
  const isCard = (entry: unknown) => first?.cards.some(({ record }) => record === entry) ?? false;
  return { top, cards: holding(isCard), runs: holding((entry) => mentions(entry, 'Created')) };
}

probe('automation.cards-name', {}, async (t) => {
  const { top, cards } = await lists(t);
  return namedIn(top, cards, 'gift_cards', 'cards');
});

probe('automation.runs-name', {}, async (t) => {
  const { top, runs } = await lists(t);
  return namedIn(top, runs, 'automations', 'results');
});

/** The record of a run of an automation: what tells the status. */
async function runRecord(t: Trial, automationEvent: AutomationEvent): Promise<{ record: unknown; places: RunPlaces }> {
  const { first } = await happened(t, automationEvent);
  const record = arrays(first.answer.json)
    .flat()
    .find((each) => leaves(each).some(({ value }) => value === 'Created'));
  if (record === undefined) throw new Untested('fact-missing', 'no record of the answer tells the status Created');
  return { record, places: runPlaces(record, first) };
}

async function ofRun<const Name extends string>(t: Trial, on: AutomationEvent, part: keyof RunPlaces, ...behaviors: Name[]) {
  const { record, places } = await runRecord(t, on);
  return namedIn(record, places[part], ...behaviors);
}

const fixture = { needs: ['automationEvent'] } as const;

probe('automation.run-id-name', fixture, (t, { automationEvent }) => ofRun(t, automationEvent, 'id', 'automation_id', 'id'));

probe('automation.run-title-name', fixture, (t, { automationEvent }) =>
  ofRun(t, automationEvent, 'title', 'automation_name', 'name'),
);

probe('automation.run-card-name', fixture, (t, { automationEvent }) =>
  ofRun(t, automationEvent, 'card', 'gift_card_id', 'card_id'),
);

probe('automation.issued-card-case', fixture, async (t, { automationEvent }) => {
  const { first } = await happened(t, automationEvent);
  const names = first.cards.flatMap(({ record }) => namesIn(record));
  if (names.length === 0) throw new Untested('fact-missing', 'no card stands in the answer');
  const [snakes, camels] = [names.filter((name) => name.includes('_')), names.filter((name) => /[a-z][A-Z]/.test(name))];
  const rows = issuedRows(first);
  const shown = rows.length > 0 ? { rows } : undefined;
  const reading =
    snakes.length > 0 && camels.length === 0 ? 'snake-case' : camels.length > 0 && snakes.length === 0 ? 'camel-case' : undefined;
  if (reading === undefined) return somethingElse(`has the names ${names.slice(0, 12).join(', ')}`, shown);
  return shown ? { reading, shown } : reading;
});

probe('automation.event-name-letter-case', fixture, async (t, { automationEvent: { name } }) => {
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  if (other === name) throw new Untested('fixture-missing', 'the name of the event has no letters');
  try {
    const { statuses } = await event(t, { event_name: other, amount: 1 });
    return statuses.includes('Created') ? 'ignored' : 'counts';
  } catch (error) {
    // Where an event of no automation is refused, that tells as much.
    if ((error as Error).message.includes(' answered 404')) return 'counts';
    throw error;
  }
});

const statusOf = ({ statuses }: Happened): string => statuses[0] ?? 'nothing';

probe('automation.usage-limit-scope', { needs: ['usedUpAutomationEvent'] }, async (t, { usedUpAutomationEvent: name }) => {
  const seen = await usingUp(t, name);
  if (statusOf(seen.at(-1) as Happened) !== 'SkippedUsageLimit')
    throw new Untested('fixture-missing', 'the automation is not used up');
  const status = statusOf(await event(t, { event_name: name, amount: 1, recipient_email: recipient(t) }));
  if (status === 'SkippedUsageLimit') return 'automation';
  return status === 'Created' ? 'recipient' : somethingElse(`tells ${status}`);
});

probe('automation.both-skips', { needs: ['usedUpAutomationEvent'] }, async (t, { usedUpAutomationEvent: name }) => {
  const [first, repeat, last] = (await usingUp(t, name)) as [Happened, Happened, Happened];
  if (statusOf(first) !== 'Created' || statusOf(last) !== 'SkippedUsageLimit')
    throw new Untested('fixture-missing', 'the automation was not used up by the one event of the key');
  const status = statusOf(repeat);
  return status === 'SkippedIdempotent' || status === 'SkippedUsageLimit' ? status : somethingElse(`tells ${status}`);
});
