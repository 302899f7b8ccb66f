import type { Finding, Oracle } from '../../oracle/oracle.ts';
import { addToBalance, record, voidCard } from '../reference-server/cards.ts';
import type { ReferenceOptions } from '../reference-server/options.ts';
import { type Card, DAY } from '../reference-server/records.ts';
import { referenceServer } from '../reference-server/server.ts';
import type { ForeignAction, PlannedRequest, SentRequest, TrafficStep } from './steps.ts';

interface TrafficSettings {
  readonly oracle: Oracle;
  /** Others act on the account too, and the client has two keys. */
  readonly othersAct: boolean;
  /** The oracle sees nothing of the first steps; default: 0. */
  readonly joinsAt?: number;
}

interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

type WireAnswer = { readonly status: number; readonly headers: Record<string, string>; readonly body: string };

/** Sends the traffic to a reference server and returns what the oracle finds, with a line for each exchange. */
export async function findingsIn(
  options: Partial<ReferenceOptions>,
  steps: readonly TrafficStep[],
  settings: TrafficSettings,
): Promise<{ findings: Finding[]; log: string[] }> {
  const traffic = new Traffic(options, settings);
  for (const [index, step] of steps.entries()) await traffic.run(index, step);
  return { findings: [...traffic.findings, ...settings.oracle.end()], log: traffic.log };
}

class Traffic {
  readonly findings: Finding[] = [];
  readonly log: string[] = [];
  readonly #settings: Required<TrafficSettings>;
  readonly #server: ReturnType<typeof referenceServer>;
  #now = Date.UTC(2026, 0, 1);
  /** Requests whose answers were lost, and that take effect later. */
  #late: { readonly at: number; readonly request: WireRequest }[] = [];
  #uniqueValues = 0;
  #adjusted: WireRequest | undefined;
  /** The client forgot what it sent before the oracle joined. */
  #isNewClient = false;

  constructor(options: Partial<ReferenceOptions>, settings: TrafficSettings) {
    this.#settings = { joinsAt: 0, ...settings };
    this.#server = referenceServer(options);
    this.#server.account.cards.length = 0;
    this.#server.setClock(this.#now);
  }

  async run(index: number, { after, foreign, sent }: TrafficStep): Promise<void> {
    const { oracle, joinsAt, othersAct } = this.#settings;
    this.#now += after;
    const isStart = index === joinsAt && !othersAct;
    await this.#sendLate(isStart ? Number.POSITIVE_INFINITY : this.#now);
    if (isStart) {
      this.#isNewClient = true;
      this.#adjusted = undefined;
    }
    this.#server.setClock(this.#now);
    this.#act(foreign);
    const requests = sent.map(({ request }) => this.#wireRequest(request));
    const isSeen = index >= joinsAt;
    const tickets = isSeen ? sent.map(() => oracle.begin()) : [];
    const answers: (WireAnswer | undefined)[] = [];
    for (const each of byOrder(sent))
      answers[each] = await this.#answerTo(requests[each] as WireRequest, sent[each] as SentRequest);
    if (!isSeen) return;
    for (const [each, { method, path, body }] of requests.entries()) {
      const key = othersAct && sent[each]?.usesOtherKey ? 'key-2' : 'key-1';
      const [ticket, answer] = [tickets[each] as number, answers[each]];
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      this.log.push(`+${after} ${key} ${method} ${path} ${body} -> ${answer ? `${answer.status} ${answer.body}` : 'lost'}`);
      this.findings.push(...oracle.observe({ ticket, at: this.#now, ms: 1, method, target: path, headers, body, answer }));
    }
  }

  async #answerTo(request: WireRequest, { before, lost }: SentRequest): Promise<WireAnswer | undefined> {
    this.#act(before);
    if (!lost) return this.#send(request);
    if (lost.takesEffect && lost.after > 0) this.#late.push({ at: this.#now + lost.after, request });
    else if (lost.takesEffect) await this.#send(request);
    return lost.hasGateway ? { status: 502, headers: { 'content-type': 'text/plain' }, body: 'Bad gateway' } : undefined;
  }

  async #sendLate(until: number): Promise<void> {
    const due = this.#late.filter(({ at }) => at <= until);
    this.#late = this.#late.filter(({ at }) => at > until);
    for (const { at, request } of due) {
      this.#server.setClock(Math.min(at, this.#now));
      await this.#send(request);
    }
  }

  async #send({ method, path, body }: WireRequest): Promise<WireAnswer> {
    const headers = { 'x-api-key': this.#server.key };
    const request = new Request(`http://127.0.0.1${path}`, { method, headers, ...(body === '' ? {} : { body }) });
    const answer = await this.#server.fetch(request);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  }

  #act(foreign: ForeignAction | undefined): void {
    const { account } = this.#server;
    const card = foreign && this.#card(foreign.card);
    if (!this.#settings.othersAct || !card) return;
    const { service } = account;
    if (foreign.action === 'void' && card.status !== 'Voided') voidCard(account, card);
    else if (foreign.action === 'restore') this.#restore(card);
    else if (foreign.action === 'delete') card.isDeleted = true;
    else if (foreign.action === 'spend') {
      addToBalance(service, card, foreign.amount);
      const actionedAtUtc = new Date(service.now - DAY).toISOString();
      record(service, card, foreign.amount < 0 ? 'redemption' : 'top-up', foreign.amount, {
        notes: foreign.notes,
        actionedAtUtc,
      });
      service.update(card);
    }
  }

  /** Makes a voided card usable again, if no other usable card has its code. */
  #restore(card: Card): void {
    const { account } = this.#server;
    const hasCode = (other: Card) => other.code.toLowerCase() === card.code.toLowerCase();
    const isTaken = account.cards.some(
      (other) => other !== card && !other.isDeleted && other.status !== 'Voided' && hasCode(other),
    );
    if (card.status !== 'Voided' || card.isDeleted || isTaken) return;
    card.status = 'Active';
    addToBalance(account.service, card, card.balanceBeforeVoid);
    account.service.update(card);
  }

  #card(index: number): Card | undefined {
    const { cards } = this.#server.account;
    return cards[index % Math.max(1, cards.length)];
  }

  #wireRequest(request: PlannedRequest): WireRequest {
    if (request.action === 'create') return this.#create(request);
    if (request.action === 'adjust') return this.#adjust(request);
    if (request.action === 'list') return this.#list(request);
    const { action, by, isUpper } = request;
    const card = this.#card(request.card);
    const name = String(by === 'ID' ? (card?.id ?? 'id-1') : (card?.code ?? 'a'));
    const path = `${paths[action][by]}/${isUpper && !this.#isNewClient ? name.toUpperCase() : name}`;
    return { method: action === 'void' ? 'DELETE' : 'GET', path, body: '' };
  }

  #create({ code, uniqueValue, balance, customField1, expiresIn }: PlannedRequest): WireRequest {
    const expiresAtUtc = expiresIn === undefined ? undefined : new Date(this.#now + expiresIn).toISOString();
    return post('/api/GiftCard/Create', { code, uniqueId: this.#unique(uniqueValue), balance, customField1, expiresAtUtc });
  }

  #adjust({
    card: index,
    by,
    amount: adjustmentAmount,
    notes: text,
    actionedAtUtc,
    uniqueValue,
    isRepeat,
  }: PlannedRequest): WireRequest {
    this.#uniqueValues += 1;
    const card = this.#card(index);
    const notes = this.#unique(text);
    const named = by === 'ID' ? { giftCardId: card?.id ?? 'id-1' } : { giftCardCode: card?.code ?? 'a' };
    const uniqueAdjustmentId = this.#unique(uniqueValue ?? `own-${this.#uniqueValues}`);
    const path = `/api/GiftCardAdjustment/AddAdjustmentByGiftCard${by === 'ID' ? 'Id' : 'Code'}`;
    const fresh = post(path, { ...named, adjustmentAmount, notes, actionedAtUtc, uniqueAdjustmentId });
    this.#adjusted = isRepeat ? (this.#adjusted ?? fresh) : fresh;
    return this.#adjusted;
  }

  #list({ page, pageSize, includeAll, since }: PlannedRequest): WireRequest {
    const issuedAt = since === undefined ? undefined : this.#card(since)?.issuedAt;
    const query = new URLSearchParams({
      pageSize: String(pageSize),
      pageNumber: String(page),
      ...(includeAll ? { includeAll: 'true' } : {}),
      ...(issuedAt === undefined ? {} : { since: new Date(issuedAt).toISOString() }),
    });
    return { method: 'GET', path: `/api/GiftCard/List?${query}`, body: '' };
  }

  #unique(value: string | undefined): string | undefined {
    return value === undefined || !this.#isNewClient ? value : `new-${value}`;
  }
}

const post = (path: string, body: unknown): WireRequest => ({ method: 'POST', path, body: JSON.stringify(body) });

const byOrder = (sent: readonly SentRequest[]): number[] =>
  sent.map((_, index) => index).toSorted((one, other) => (sent[one]?.order ?? 0) - (sent[other]?.order ?? 0));

const paths = {
  void: { code: '/api/GiftCard/VoidByCode', ID: '/api/GiftCard/VoidById' },
  get: { code: '/api/GiftCard/GetByCode', ID: '/api/GiftCard/GetById' },
  history: {
    code: '/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode',
    ID: '/api/GiftCardAdjustment/ListAdjustmentsByGiftCardId',
  },
} as const;
