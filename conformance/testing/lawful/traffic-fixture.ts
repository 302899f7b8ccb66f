import type { Row } from '../exchanges-fixture.ts';
import type { Fault } from './faults-fixture.ts';
import type { Adjusting, Answer, Card, Creating, Listing } from './records-fixture.ts';
import { LawfulService } from './service-fixture.ts';
import type { Meddling, Request, Sent, Step } from './steps-fixture.ts';
import type { Ways } from './ways-fixture.ts';

/** What passes a proxy, and what comes about of it. */
interface Asked {
  readonly row: Omit<Row, 'status' | 'told'>;
  readonly comeAbout: () => Answer;
}

const begin = Date.UTC(2026, 0, 1);

export interface Setting {
  /** Others act on the account, also with the client's values from before the proxy began, and the client has two keys. */
  readonly othersAct: boolean;
  /** So many steps come before the proxy begins, which sees nothing of them; 0 by default. */
  readonly before?: number;
  readonly fault?: Fault;
}

/** All that passes a proxy before a service of such ways, by rows whose exchanges are under way at once. */
export function trafficOf(ways: Ways, steps: readonly Step[], { othersAct, before: unseen = 0, fault }: Setting): Row[][] {
  const service = new LawfulService(ways, begin, fault);
  const client = new Client(service);
  const late: { readonly at: number; readonly comeAbout: () => Answer }[] = [];
  const meddle = (meddling: Meddling | undefined) => othersAct && meddling && meddleWith(service, meddling);
  const rows = steps.map(({ after, meddling, sent }, place) => {
    const now = service.now + after;
    if (place === unseen && !othersAct) {
      for (const { comeAbout } of late.splice(0)) comeAbout();
      client.startAnew();
    }
    for (const each of late.splice(0)) {
      if (each.at > now) late.push(each);
      else {
        service.passTo(each.at);
        each.comeAbout();
      }
    }
    service.passTo(now);
    meddle(meddling);
    const asked = sent.map(({ request }) => client.ask(request));
    const rows: Row[] = [];
    for (const index of turnsOf(sent)) {
      const { before, lost, hasOtherKey: other } = sent[index] as Sent;
      const { row, comeAbout } = asked[index] as Asked;
      meddle(before);
      if (lost?.comesAbout && lost.after > 0) late.push({ at: now + lost.after, comeAbout });
      const answer = lost && (!lost.comesAbout || lost.after > 0) ? undefined : comeAbout();
      const passed: Partial<Row> = lost?.isTold ? { status: 502 } : lost || !answer ? { lost: true } : answer;
      rows[index] = { ...row, ...passed, key: othersAct && other ? 'key-2' : 'key-1', ...(index === 0 ? { after } : {}) };
    }
    return rows;
  });
  return rows.slice(unseen);
}

const turnsOf = (sent: readonly Sent[]): number[] =>
  sent.map((_, index) => index).toSorted((one, other) => (sent[one]?.turn ?? 0) - (sent[other]?.turn ?? 0));

function meddleWith(service: LawfulService, { does, card: place, amount, notes }: Meddling): void {
  const card = service.cards[place % service.cards.length];
  if (!card) return;
  if (does === 'void' && card.status !== 'Voided') service.voidCard(card);
  else if (does === 'revive') service.revive(card);
  else if (does === 'delete') card.isDeleted = true;
  else if (does === 'spend') service.spend(card, amount, notes);
}

/** Says in requests of the service what is to be asked. */
class Client {
  readonly #service: LawfulService;
  #adjusted: Adjusting | undefined;
  #uniques = 0;
  #hasStartedAnew = false;

  constructor(service: LawfulService) {
    this.#service = service;
  }

  ask(request: Request): Asked {
    if (request.does === 'create') return this.#create(request);
    if (request.does === 'adjust') return this.#adjust(request);
    if (request.does === 'list') return this.#list(request);
    const { does, card, by, isUpper } = request;
    const place = this.#card(card);
    const spelt = by === 'ID' ? (place?.id ?? 'id-1') : (place?.code ?? 'a');
    const named = isUpper && !this.#hasStartedAnew ? spelt.toUpperCase() : spelt;
    const operation = operations[does][by];
    return { row: { does: operation, named }, comeAbout: () => this.#service[does](by, named) };
  }

  #card(place: number): Card | undefined {
    const { cards } = this.#service;
    return cards[place % cards.length];
  }

  /** From now on nothing is repeated, nor any value used, that was sent before, nor a card spelt otherwise that nobody has seen. */
  startAnew(): void {
    this.#hasStartedAnew = true;
    this.#adjusted = undefined;
  }

  #value(unique: string): string {
    return this.#hasStartedAnew ? `new-${unique}` : unique;
  }

  #create({ does: _, expiresIn, ...given }: Request & { does: 'create' }): Asked {
    const expiresAtUtc = expiresIn === undefined ? undefined : new Date(this.#service.now + expiresIn).toISOString();
    const uniqueId = given.uniqueId && this.#value(given.uniqueId);
    const asked = JSON.parse(JSON.stringify({ ...given, uniqueId, expiresAtUtc })) as Creating;
    return { row: { does: 'createGiftCard', asked: { ...asked } }, comeAbout: () => this.#service.create(asked) };
  }

  #adjust({ card: place, by, amount, notes, actioned, unique, isRepeat }: Request & { does: 'adjust' }): Asked {
    this.#uniques += 1;
    const card = this.#card(place);
    const fresh: Adjusting = {
      ...(by === 'ID' ? { giftCardId: card?.id ?? 'id-1' } : { giftCardCode: card?.code ?? 'a' }),
      ...{
        adjustmentAmount: amount,
        notes,
        actionedAtUtc: actioned,
        uniqueAdjustmentId: this.#value(unique ?? `own-${this.#uniques}`),
      },
    };
    const asked = isRepeat ? (this.#adjusted ?? fresh) : fresh;
    this.#adjusted = asked;
    const does = asked.giftCardId === undefined ? 'addAdjustmentByGiftCardCode' : 'addAdjustmentByGiftCardId';
    return { row: { does, asked: { ...asked } }, comeAbout: () => this.#service.adjust(asked) };
  }

  #list({ page, size, all, since }: Request & { does: 'list' }): Asked {
    const issuedAt = since === undefined ? undefined : this.#card(since)?.issuedAt;
    const query: Listing = {
      ...{ pageSize: String(size), pageNumber: String(page) },
      ...(all ? { includeAll: 'true' } : {}),
      ...(issuedAt === undefined ? {} : { since: new Date(issuedAt).toISOString() }),
    };
    return { row: { does: 'listGiftCards', query: { ...query } }, comeAbout: () => this.#service.list(query) };
  }
}

const operations = {
  void: { code: 'voidGiftCardByCode', ID: 'voidGiftCardById' },
  look: { code: 'getGiftCardByCode', ID: 'getGiftCardById' },
  history: { code: 'listAdjustmentsByGiftCardCode', ID: 'listAdjustmentsByGiftCardId' },
} as const;
