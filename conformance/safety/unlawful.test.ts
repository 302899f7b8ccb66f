import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { checks } from '../core/rule.ts';
import '../rules/index.ts';
import { runRules } from '../core/run.ts';
import { endingOfRun } from '../core/run-ending.ts';
import { openSession } from '../core/session.ts';
import type { Waiting } from '../http/rate.ts';
import type { Profile } from '../http/target.ts';
import { LedgerFolder } from './ledger-folder.ts';
import { policyOf } from './policy.ts';
import { sweepLeftovers } from './sweep.ts';

// The servers of these tests violate the specification so that money may stay on an account. The suite must void every card, or report the leftovers.

const folder = mkdtempSync(join(tmpdir(), 'conformance-unlawful-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Card {
  readonly id: string;
  readonly code: string;
  readonly recipientEmailAddress?: string;
  readonly balance: number;
  status: 'Active' | 'Voided';
}

interface Request_ {
  readonly path: string;
  readonly last: string;
  readonly key: string | null;
  readonly body: Record<string, unknown>;
}

type ServiceResponse = { status: number; json?: unknown } | 'none';

/** A minimal service. Each test changes one of its methods. */
class Service {
  readonly cards: Card[] = [];
  created = 0;

  get alive(): string[] {
    return this.cards.filter(({ status }) => status === 'Active').map(({ code }) => code);
  }

  issue(fields: Record<string, unknown>): Card {
    this.created += 1;
    const code = typeof fields.code === 'string' ? fields.code : `ISSUED${this.created}`;
    const card = { ...fields, id: `id-${this.created}`, code, balance: Number(fields.balance), status: 'Active' } as Card;
    this.cards.push(card);
    return card;
  }

  create({ body, key }: Request_): ServiceResponse {
    if (key !== 'the-key-of-the-run') return { status: 401 };
    if (this.cards.some(({ code }) => code === body.code)) return { status: 400, json: 'the code is taken' };
    return { status: 200, json: this.issue(body) };
  }

  byCode(code: string): Card | undefined {
    return this.cards.find((card) => card.code === code);
  }

  voidByCode(code: string): ServiceResponse {
    return this.#voided(this.byCode(code));
  }

  event(_: Request_): ServiceResponse {
    return { status: 200, json: { automations: [] } };
  }

  respond(request: Request_): ServiceResponse {
    const { path, last, key } = request;
    if (path.endsWith('/GiftCard/Create')) return this.create(request);
    if (key !== 'the-key-of-the-run') return { status: 401 };
    const shown = (card: unknown): ServiceResponse => (card ? { status: 200, json: card } : { status: 404 });
    if (path.includes('/GetByCode/')) return shown(this.byCode(last));
    if (path.includes('/GetById/')) return shown(this.cards.find(({ id }) => id === last));
    if (path.includes('/VoidByCode/')) return this.voidByCode(last);
    if (path.includes('/VoidById/')) return this.#voided(this.cards.find(({ id }) => id === last));
    if (path.endsWith('/AutomationTriggerEvents')) return this.event(request);
    if (path.endsWith('/GetByEmail'))
      return { status: 200, json: { found: this.cards.filter((card) => card.recipientEmailAddress === last) } };
    if (path.includes('/Webhook/')) return path.endsWith('/List') ? { status: 200, json: { webhooks: [] } } : { status: 400 };
    return { status: 200, json: { giftCards: this.cards.toReversed() } };
  }

  fetch = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const last = searchParams.get('emailAddress') ?? decodeURIComponent(pathname.split('/').at(-1) ?? '');
    const text = await request.text();
    const sent = { path: pathname, last, key: request.headers.get('x-api-key'), body: text === '' ? {} : JSON.parse(text) };
    const response = this.respond(sent);
    if (response === 'none') throw new Error('nothing within 10 s');
    return Response.json(response.json ?? null, { status: response.status });
  };

  #voided(card: Card | undefined): ServiceResponse {
    if (card) card.status = 'Voided';
    return { status: card ? 200 : 404, json: null };
  }
}

interface RunSettings {
  profile?: Profile;
  time?: Waiting;
  lateAfter?: number;
  maxCreates?: number;
}

let runs = 0;

async function runOn(
  service: Service,
  names: RuleName[],
  { profile = {}, time, lateAfter, maxCreates = Infinity }: RunSettings = {},
) {
  const target = {
    url: 'http://127.0.0.1',
    key: 'the-key-of-the-run',
    profile,
    fetch: service.fetch,
    ...(lateAfter === undefined ? {} : { lateAfter }),
  };
  const session = openSession(target, time);
  // The limit is set after the plan, so that the plan leaves out nothing and the gate refuses creates.
  const canary = async () => {
    session.gate.policy = policyOf('full', [], { maxCreates });
    return true;
  };
  runs += 1;
  const ledger = new LedgerFolder(join(folder, `${runs}-ledger`), target.url);
  const result = await runRules({ target, names, checks: checks(), session, ledger, canary });
  const left = (await ledger.read(target)).entries.length;
  return { result, ledger, session, left };
}

/** Checks that every card is voided, or that both the run and the ledger report a leftover. */
function expectNothingUnsaid(service: Service, { result, left }: Awaited<ReturnType<typeof runOn>>) {
  expect(service.created).toBeGreaterThan(0);
  if (service.alive.length > 0) expect([endingOfRun(result).code, left]).toEqual([5, expect.any(Number)]);
  if (service.alive.length > 0) expect(left).toBeGreaterThan(0);
}

const lawful: RuleName[] = [
  'gift-card.create.returns-200',
  'gift-card.create.refuses-taken-code',
  'gift-card.create.gifted-needs-recipient-name',
  'idempotency.create.refuses-repeat',
  'idempotency.create.parallel-makes-one',
  'authentication.missing-key-is-401',
  'authentication.wrong-key-is-401',
];

test('cards that a server refused and created are voided', async () => {
  for (const status of [400, 401, 409, 422]) {
    const service = new Service();
    service.create = ({ body }) =>
      service.issue(body).balance === 1.75 ? { status: 200, json: service.cards.at(-1) } : { status };
    const seen = await runOn(service, lawful);
    expect([service.alive, seen.result.cards.left, seen.left]).toEqual([[], [], 0]);
    expect(seen.result.cards.voided).toBe(service.created);
  }
});

test('the budget counts refused creates until a look-up shows that they do not exist', async () => {
  const creating = new Service();
  creating.create = ({ body }) => (creating.issue(body) ? { status: 400 } : 'none');
  expectNothingUnsaid(creating, await runOn(creating, lawful, { maxCreates: 3 }));
  expect([creating.created, creating.alive]).toEqual([3, []]);

  const refusing = new Service();
  let refused = 0;
  refusing.create = () => {
    refused += 1;
    return { status: 400 };
  };
  const { result } = await runOn(refusing, lawful, { maxCreates: 3 });
  expect(refused).toBeGreaterThan(4);
  expect([result.spent.creates, result.cards.created, result.cards.left]).toEqual([0, 0, []]);
});

test('cards that are not found by code are voided by ID, or left and reported', async () => {
  const service = new Service();
  service.byCode = () => undefined;
  const seen = await runOn(service, lawful);
  expectNothingUnsaid(service, seen);
  expect([service.alive, seen.left]).toEqual([[], 0]);

  const idless = new Service();
  idless.byCode = () => undefined;
  idless.create = ({ body }) => ({ status: 200, json: { code: idless.issue(body).code } });
  const reported = await runOn(idless, lawful);
  expect(idless.alive.length).toBeGreaterThan(0);
  expect([endingOfRun(reported.result).code, reported.result.cards.left.length, reported.left]).toEqual([
    5,
    idless.alive.length,
    idless.alive.length,
  ]);
});

test('a card that is created after the time-out of its request is voided', async () => {
  const service = new Service();
  const late: Record<string, unknown>[] = [];
  service.create = ({ body }) => {
    late.push(body);
    return late.length === 1 ? 'none' : { status: 504 };
  };
  const slept: number[] = [];
  const time: Waiting = {
    now: () => performance.now(),
    sleep: async (ms) => {
      slept.push(ms);
      for (const body of late.splice(0)) service.issue(body);
    },
  };
  const names: RuleName[] = ['gift-card.create.returns-200', 'gift-card.create.refuses-taken-code'];
  const seen = await runOn(service, names, { time, lateAfter: 30_000 });
  expect(service.created).toBeGreaterThan(1);
  expect([service.alive, seen.result.cards.left, seen.left]).toEqual([[], [], 0]);
  expect(slept.every((ms) => ms > 0 && ms <= 30_000)).toBe(true);
});

test('a later sweep waits for such a card too: the ledger has the time of the request', async () => {
  const service = new Service();
  let late: Record<string, unknown> | undefined;
  let isDead = false;
  const respond = service.respond.bind(service);
  service.create = ({ body }) => {
    late = body;
    isDead = true;
    return 'none';
  };
  service.respond = (request) => (isDead ? 'none' : respond(request));
  const { ledger, left } = await runOn(service, ['gift-card.create.returns-200'], { lateAfter: 0 });
  // Two creates had no response: the create that learns the currency, and the create of the rule.
  expect(left).toBe(2);

  isDead = false;
  const sleep = async () => {
    if (late) service.issue(late);
    late = undefined;
  };
  const target = { url: 'http://127.0.0.1', key: 'the-key-of-the-run', profile: {}, fetch: service.fetch, lateAfter: 30_000 };
  const session = openSession(target, { now: () => performance.now(), sleep });
  await sweepLeftovers(ledger, await ledger.read(target), session);
  expect([service.created, service.alive, (await ledger.read(target)).entries]).toEqual([1, [], []]);
});

test('the cards of an event with an unknown response are found by their recipient and voided', async () => {
  const automationEvent = { name: 'the event', amount: 5 };
  const names = checks()
    .filter(({ needs }) => needs.includes('automationEvent'))
    .map(({ name }) => name);
  for (const json of [{ accepted: true }, { automations: [{ status: 'Queued' }] }, null]) {
    const service = new Service();
    service.event = ({ body }) => {
      if (body.event_name === 'the event') service.issue({ balance: 5, recipientEmailAddress: body.recipient_email });
      return { status: 200, json };
    };
    const seen = await runOn(service, names, { profile: { automationEvent } });
    expectNothingUnsaid(service, seen);
    expect([service.alive, seen.left]).toEqual([[], 0]);
  }
}, 60_000);
