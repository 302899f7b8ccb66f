import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { hasStatus } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { arrays, namesIn } from '../http/structure.ts';
import { event, type Happened, happened, idleEvent, recipient, usingUp } from '../scenarios/events.ts';
import { issuedRows } from '../scenarios/issued-places.ts';
import { list } from '../scenarios/lists.ts';

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

probe('automation.properties-required', {}, (t) => odd(t, 'without properties', { properties: undefined }, required));

probe('automation.property-types', {}, (t) =>
  odd(t, 'with a property that is a number', { properties: { gcs_number: 5 } }, ['refused', 'converted'] as const),
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

const fixture = { needs: ['automationEvent'] } as const;

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

const statusOf = ({ statuses }: Happened): string => statuses[0] ?? 'nothing';

probe('automation.usage-limit-scope', { needs: ['usedUpAutomationEvent'] }, async (t, { usedUpAutomationEvent: name }) => {
  const seen = await usingUp(t, name);
  if (statusOf(seen.at(-1) as Happened) !== 'SkippedUsageLimit')
    throw new Untested('fixture-missing', 'the automation is not used up');
  const status = statusOf(await event(t, { event_name: name, amount: 1, recipient_email: recipient(t) }));
  if (status === 'SkippedUsageLimit') return 'automation';
  return status === 'Created' ? 'recipient' : somethingElse(`tells ${status}`);
});
