import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks } from '../../conformance/core/clause.ts';
import '../../conformance/clauses/index.ts';
import { main } from '../../conformance/cli/main.ts';
import '../../conformance/probes/index.ts';
import { runClauses } from '../../conformance/core/run.ts';
import { LedgerFolder } from '../../conformance/safety/ledger-folder.ts';
import { type Mock, startMock } from '../../mock/index.ts';
import { defaultWorldProfile } from '../default-world-profile.ts';
import { type Belongings, belongings, changed, ours } from './belongings.ts';

/**
 * One run of everything, which is stopped in thought at each of its requests, before it leaves and before its answer is read. What stands there then,
 * on the mock and in the ledger on the disk, is what the death of the process would leave, and `sweep` has to take all of it away.
 */

export interface Deaths {
  /** Moments at which something stood otherwise than at the last one. */
  moments: number;
  /** Those of them that were tried, and how many cards, webhooks and coupons there were then in all. */
  tried: number;
  everLeft: number;
  /** What was wrong, in words: what sweep left, what of others it changed, and what left before it was on the disk. */
  faults: string[];
}

const url = 'http://127.0.0.1';

/** Tries the death at every `stride`th moment. */
export async function deaths(stride: number): Promise<Deaths> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-kills-'));
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const before = await belongings(mock);
  const found: Deaths = { moments: 0, tried: 0, everLeft: 0, faults: [] };
  const disk = { length: 0 };
  const ledger = new LedgerFolder(join(folder, 'ledger'), url, {
    flush: () => {
      disk.length = bytesOf(ledger).length;
    },
  });
  let last = '';
  let changes = 0;

  /** The process might end here. */
  const moment = async (where: string) => {
    const text = bytesOf(ledger).toString('utf8');
    const here = `${changes} ${text.length}`;
    if (here === last) return;
    last = here;
    found.moments += 1;
    if (found.moments % stride !== 0) return;
    found.tried += 1;
    const died = await death(mock, text, before, folder);
    found.everLeft += died.left;
    for (const fault of died.faults) found.faults.push(`${where}: ${fault}`);
  };

  // One after another, so that what stands on the mock and what stands in the ledger are of the same moment.
  let queue: Promise<unknown> = Promise.resolve();
  const fetch = (request: Request): Promise<Response> => {
    const answered = queue.then(async () => {
      const what = `${request.method} ${new URL(request.url).pathname}`;
      const body = await request.clone().text();
      const flushed = bytesOf(ledger).subarray(0, disk.length).toString('utf8');
      if (makes.test(what) && !isWritten(body, flushed)) found.faults.push(`${what} is not on the disk: ${body.slice(0, 200)}`);
      await moment(`before ${what}`);
      const answer = await mock.fetch(request);
      if (request.method !== 'GET') changes += 1;
      await moment(`after ${what}`);
      return answer;
    });
    queue = answered.catch(() => undefined);
    return answered;
  };

  // Odd input makes what others make, a thousand times over.
  const names = checks().flatMap(({ name, inputs }) => (inputs ? [] : [name]));
  const target = { url, key: mock.apiKey, profile: defaultWorldProfile, fetch };
  // No check may be cut short because others are tried meanwhile.
  const result = await runClauses({ target, names, checks: checks(), suite: 'kills', ledger, deadline: 600_000 });
  ledger.close();
  if (result.cards.left.length + result.recordsLeft.length > 0) found.faults.push('the run itself left something behind');
  await mock.close();
  rmSync(folder, { recursive: true });
  return found;
}

/** The ledger file of the run; empty before it begins and after it was deleted. */
function bytesOf({ path }: LedgerFolder): Buffer {
  const [file] = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.jsonl')) : [];
  return file === undefined ? Buffer.alloc(0) : readFileSync(join(path, file));
}

const makes = /^POST \/api\/(GiftCard\/Create|Webhook\/Create|WebStoreCoupon\/Create|AutomationTriggerEvents)$/i;

/** Whether the ledger names something of the body by which it is found again. What is no request at all and an event for nobody of the run's make nothing. */
function isWritten(body: string, ledger: string): boolean {
  if (!body.startsWith('{') || (body.includes('event_name') && !/"gcs\w+@example\.com"/.test(body))) return true;
  return ledger.split('\n').some((line) => {
    const { open } = (line === '' ? {} : JSON.parse(line)) as { open?: Record<string, unknown> };
    const values = [open?.url, open?.mark, open?.recipient, open?.code].filter(
      (value) => typeof value === 'string' && value !== '',
    );
    return values.some((value) => body.includes(JSON.stringify(value)));
  });
}

/** What is on the mock is copied to another one, and what is in the ledger to another file; there, the next process sweeps. */
async function death(
  mock: Mock,
  ledger: string,
  before: Belongings,
  folder: string,
): Promise<{ left: number; faults: string[] }> {
  const copy = await startMock({ listen: false, rateLimit: 'off' });
  await copy.restore(await mock.snapshot());
  const path = join(folder, 'copy');
  const profile = join(folder, 'profile.json');
  // The lock of the run, which lives, is not the copy's.
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'run.jsonl'), ledger.replaceAll(/"lock":"[^"]*"/g, '"lock":null'));
  writeFileSync(profile, JSON.stringify(defaultWorldProfile));
  const atDeath = await belongings(copy);
  const written: string[] = [];
  const write = { write: (text: string) => written.push(text) };
  const io = { stdout: write, stderr: write, fetch: (request: Request) => copy.fetch(request) };
  const command = (argv: string[]) => main([...argv, '--target', url, '--ledger', path], { GIFTCARD_API_KEY: copy.apiKey }, io);
  const code = await command(['sweep', '--profile', profile]);
  const remaining = await command(['ledger']);
  const after = await belongings(copy);
  await copy.close();
  const faults = [...ours(after, before).map((each) => `${each} is left`), ...changed(atDeath, after, before)];
  if (code !== 0 || remaining !== 0) faults.push(`sweep ended with ${code} and ledger with ${remaining}: ${written.join('')}`);
  return { left: ours(atDeath, before).length, faults };
}
