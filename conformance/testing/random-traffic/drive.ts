import type { Finding, Oracle } from '../../oracle/oracle.ts';
import { addToBalance, voidCard } from '../reference-server/cards.ts';
import type { ReferenceOptions } from '../reference-server/options.ts';
import type { Card } from '../reference-server/records.ts';
import { referenceServer } from '../reference-server/server.ts';
import type { ForeignAction, PlannedRequest, SentRequest, TrafficStep } from './arbitraries.ts';

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
  /** Whether the oracle has joined: a client that is alone has then forgotten what it sent before. */
  #isSeen = false;

  constructor(options: Partial<ReferenceOptions>, settings: TrafficSettings) {
    this.#settings = { joinsAt: 0, ...settings };
    this.#server = referenceServer(options);
    this.#server.account.cards.length = 0;
  }

  async run(index: number, { after, foreign, sent }: TrafficStep): Promise<void> {
    const { oracle, joinsAt, othersAct } = this.#settings;
    this.#now += after;
    const joins = index === joinsAt && !othersAct;
    if (joins) this.#adjusted = undefined;
    this.#isSeen = index >= joinsAt;
    await this.#sendLate(joins ? Number.POSITIVE_INFINITY : this.#now);
    this.#server.setClock(this.#now);
    this.#act(foreign);
    const requests = sent.map(({ request }) => this.#wireRequest(request));
    const tickets = this.#isSeen ? sent.map(() => oracle.begin()) : [];
    const answers: (WireAnswer | undefined)[] = [];
    const orders = sent.map((each, position) => ({ ...each, position })).toSorted((one, other) => one.order - other.order);
    for (const each of orders) answers[each.position] = await this.#answerTo(requests[each.position] as WireRequest, each);
    for (const [position, ticket] of tickets.entries()) {
      const { method, path, body } = requests[position] as WireRequest;
      const answer = answers[position];
      const key = othersAct && sent[position]?.usesOtherKey ? 'key-2' : 'key-1';
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
    if (foreign.action === 'void' && card.status !== 'Voided') voidCard(account, card);
    else if (foreign.action === 'restore') this.#restore(card);
    else if (foreign.action === 'delete') card.isDeleted = true;
    else if (foreign.action === 'spend') addToBalance(account.service, card, foreign.amount);
  }

  /** Makes a voided card usable again, if no other usable card has its code. */
  #restore(card: Card): void {
    const isRival = ({ code, status, isDeleted }: Card) =>
      status !== 'Voided' && !isDeleted && code.toLowerCase() === card.code.toLowerCase();
    const { cards } = this.#server.account;
    if (card.status === 'Voided' && !card.isDeleted && !cards.some(isRival)) card.status = 'Active';
  }

  #card(index: number): Card | undefined {
    const { cards } = this.#server.account;
    return cards[index % Math.max(1, cards.length)];
  }

  #wireRequest({ action, by, isUpper, ...request }: PlannedRequest): WireRequest {
    const card = this.#card(request.card);
    const name = String(by === 'Id' ? (card?.id ?? 'id-1') : (card?.code ?? 'a'));
    if (action === 'create') return this.#create(request);
    if (action === 'list') return this.#list(request);
    if (action === 'adjust') {
      const body = {
        [`giftCard${by}`]: name,
        adjustmentAmount: request.amount,
        actionedAtUtc: '2025-12-01T00:00:00Z',
        uniqueAdjustmentId: this.#unique(request.uniqueValue ?? `own-${this.#uniqueValues++}`),
      };
      const fresh = post(`/api/GiftCardAdjustment/AddAdjustmentByGiftCard${by}`, body);
      this.#adjusted = request.isRepeat ? (this.#adjusted ?? fresh) : fresh;
      return this.#adjusted;
    }
    const mayBeUpper = this.#settings.othersAct || this.#settings.joinsAt === 0;
    const path = `${paths[action as keyof typeof paths]}${by}/${isUpper && mayBeUpper ? name.toUpperCase() : name}`;
    return { method: action === 'void' ? 'DELETE' : 'GET', path, body: '' };
  }

  #create({
    code,
    uniqueValue,
    balance,
    customField1,
    expiresIn,
  }: Omit<PlannedRequest, 'action' | 'by' | 'isUpper'>): WireRequest {
    const expiresAtUtc = expiresIn === undefined ? undefined : new Date(this.#now + expiresIn).toISOString();
    return post('/api/GiftCard/Create', { code, uniqueId: this.#unique(uniqueValue), balance, customField1, expiresAtUtc });
  }

  #list({ pageNumber, pageSize, includeAll, since }: Pick<PlannedRequest, 'pageNumber' | 'pageSize' | 'includeAll' | 'since'>) {
    const issuedAt = since === undefined ? undefined : this.#card(since)?.issuedAt;
    const query = new URLSearchParams({
      pageSize: String(pageSize),
      pageNumber: String(pageNumber),
      ...(includeAll ? { includeAll: 'true' } : {}),
      ...(issuedAt === undefined ? {} : { since: new Date(issuedAt).toISOString() }),
    });
    return { method: 'GET', path: `/api/GiftCard/List?${query}`, body: '' };
  }

  #unique(value: string | undefined): string | undefined {
    return value === undefined || this.#isSeen || this.#settings.othersAct ? value : `old-${value}`;
  }
}

const post = (path: string, body: unknown): WireRequest => ({ method: 'POST', path, body: JSON.stringify(body) });

const paths = {
  void: '/api/GiftCard/VoidBy',
  get: '/api/GiftCard/GetBy',
  history: '/api/GiftCardAdjustment/ListAdjustmentsByGiftCard',
} as const;
