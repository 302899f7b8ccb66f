import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ruleTest } from '../core/rule.ts';
import { runRules } from '../core/run.ts';
import { openSession } from '../core/session.ts';
import { event } from '../scenarios/events.ts';
import { referenceServer } from '../testing/reference-server/server.ts';
import { LedgerFolder } from './ledger-folder.ts';
import { sweepLeftovers } from './sweep.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-event-cut-off-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Sends an event with two automations, and kills the run while it writes line number `lines` of the ledger. Then runs a sweep. */
async function cutOff(lines: number) {
  const { fetch, key } = referenceServer();
  let [written, isDead, recipient] = [0, false, ''];
  const path = join(folder, `${lines}-ledger`);
  const dying = new LedgerFolder(path, 'http://127.0.0.1', {
    write: (handle, text) => {
      written += 1;
      isDead ||= written > lines;
      if (isDead) throw new Error('dead');
      writeFileSync(handle, text);
    },
  });
  const target = {
    url: 'http://127.0.0.1',
    key,
    profile: {},
    fetch: async (request: Request) => {
      if (isDead) throw new Error('dead');
      recipient = /"recipient_email":"([^"]+)"/.exec(await request.clone().text())?.[1] ?? recipient;
      return fetch(request);
    },
  };
  const name = 'automation.status-created';
  const check = ruleTest(name, [], async (t) => void (await event(t, { event_name: 'party' })));
  await runRules({ target, names: [name], checks: [check], ledger: dying }).catch(() => undefined);
  const file = new LedgerFolder(path, target.url);
  const session = openSession({ ...target, fetch });
  await sweepLeftovers(file, await file.read(target), session);
  const read = async (what: string) =>
    (await fetch(new Request(`${target.url}/api/GiftCard/${what}`, { headers: { 'x-api-key': key } }))).json();
  const { hits } = (await read(`GetByEmail?emailAddress=${encodeURIComponent(recipient)}`)) as { hits: number[] };
  const cards = (await Promise.all(hits.map((id) => read(`GetById/${id}`)))) as { status: string }[];
  return { isDead, statuses: cards.map(({ status }) => status) };
}

test('a sweep voids all cards of an event, at any ledger line at which the run is killed', async () => {
  const counts: number[] = [];
  for (let lines = 1; ; lines += 1) {
    const { isDead, statuses } = await cutOff(lines);
    if (!isDead) break;
    counts.push(statuses.length);
    expect({ lines, alive: statuses.filter((status) => status !== 'Voided') }).toEqual({ lines, alive: [] });
  }
  expect(counts.filter((count) => count === 2).length).toBeGreaterThan(4);
});
