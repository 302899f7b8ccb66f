import { createHmac } from 'node:crypto';

/**
 * A gift card service written from the specification alone. It keeps what is stated and answers everything unstated
 * in a way of its own: other property names, wrappers, ids, statuses. The suite must find no fault with it.
 */

interface StrangeCard {
  id: number;
  code: string;
  cents: number;
  status: string;
  fields: Record<string, unknown>;
  issued: number;
  touched: number;
  /** Ever loaded. */
  loaded: number;
  history: { cents: number; memo: unknown; happened: string; recorded: string }[];
  /** When its gift is delivered. */
  opens?: number;
  voucher?: boolean;
  deleted?: boolean;
}

interface StrangeHook {
  hookId: number;
  target: string;
  secret: unknown;
  label: unknown;
  failed: number;
}

interface StrangeAccount {
  cards: StrangeCard[];
  used: Set<string>;
  hooks: StrangeHook[];
  currency: string;
  /** Days that a card lives which says nothing of it; 0 for ever. */
  lifetime: number;
  /** The minute of its clock that it counts in, and the requests of that minute, refused ones among them. */
  minute: number;
  asked: number;
}

/** Thrown anywhere to answer at once. */
class Answer {
  readonly response: Response;
  constructor(status: number, body: unknown) {
    this.response = typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status });
  }
}

const refuse = (text: string, status = 400) => new Answer(status, text);
const nowhere = () => new Answer(404, { error: { reason: 'nothing here' } });
const cents = (amount: unknown) => Math.round(Number(amount) * 100);

function read(text: string): Record<string, unknown> {
  if (text === '') return {};
  try {
    const body = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
    throw body;
  } catch {
    throw new Answer(418, { error: { reason: 'unreadable' } });
  }
}

function plain(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw nowhere();
  }
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export function stranger({
  perMinute = Number.POSITIVE_INFINITY,
  /** How a delivery is put at last. */
  says = (payload: Record<string, unknown>): Record<string, unknown> => payload,
  /** Who looks whether somebody is there, when a webhook is registered. */
  looks = { method: 'POST', body: '{}' } as RequestInit,
  currency = 'NOK',
  /** How long a delivery takes to leave, in milliseconds, and whether each waits for the one before it. */
  latency = 0,
  inTurn = false,
  /** Hours between the moments at which gifts are delivered. */
  giftsEvery = 0,
} = {}) {
  /** By how much somebody has moved the clock by which it counts. */
  let ahead = 0;
  let serial = 7_000_000;
  /** A clock of its own that never shows the same moment twice. */
  let ticks = Date.UTC(2031, 0, 1);
  const tick = () => {
    ticks += 1_000;
    return ticks;
  };
  const account = (lifetime: number): StrangeAccount => ({
    cards: [],
    used: new Set(),
    hooks: [],
    currency,
    lifetime,
    minute: 0,
    asked: 0,
  });
  const [first, second] = [account(0), account(30)];
  const keys = new Map<string, StrangeAccount | 'basic'>([
    ['one', first],
    ['two', second],
    ['cheap', 'basic'],
  ]);

  function issue(on: StrangeAccount, fields: Record<string, unknown>, more: Partial<StrangeCard> = {}): StrangeCard {
    serial += 13;
    const at = tick();
    const card: StrangeCard = {
      id: serial,
      code: String(fields.code ?? `zz-${serial}-${Math.random().toString(36).slice(2)}`),
      cents: cents(fields.balance),
      loaded: cents(fields.balance),
      status: 'Active',
      fields: on.lifetime === 0 ? fields : { expiresAtUtc: new Date(at + on.lifetime * 86_400_000).toISOString(), ...fields },
      issued: at,
      touched: at,
      history: [],
      ...more,
    };
    on.cards.push(card);
    return card;
  }
  const inShop = (shopId: string) => ({ shopId });
  issue(first, { code: 'old', balance: 3 }, { status: 'Expired' });
  issue(first, { code: 'dead', balance: 3, recipientEmailAddress: 'late@example.org', ...inShop('x-2') }, { deleted: true });
  issue(first, { code: 'dust', balance: 3 }, { deleted: true });
  issue(first, { code: 'later', balance: 3 }, { status: 'Scheduled' });
  issue(first, { code: 'alone', balance: 3 }, { status: 'Scheduled', opens: ticks + 2 * DAY });
  issue(first, { code: 'brief', balance: 3, expiresAtUtc: new Date(ticks + 2 * DAY).toISOString() }, { status: 'Scheduled' });
  issue(first, { code: 'fading', balance: 3, expiresAtUtc: new Date(ticks + 2 * DAY).toISOString() }, { deleted: true });
  issue(first, { code: 'credit', balance: 3, ...inShop('x-1') });
  issue(first, { code: 'bon', balance: 3 }, { voucher: true });

  const shown = (card: StrangeCard, currency: string) => ({
    id: card.id,
    code: card.code,
    balance: card.cents / 100,
    currency,
    status: card.status,
    viewBalanceUrl: `https://cards.example/${card.id}`,
    appleWalletUrl: `https://cards.example/${card.id}/a`,
    googleWalletUrl: `https://cards.example/${card.id}/g`,
    customField1: card.fields.customField1 ?? null,
    customField2: card.fields.customField2 ?? null,
    customField3: card.fields.customField3 ?? null,
    remark: card.fields.notes ? `${card.fields.notes} (API, the only key)` : null,
    lifecycle: {
      issuedOn: new Date(card.issued).toISOString().replace('Z', ''),
      touchedOn: new Date(card.touched).toISOString(),
      until: card.fields.expiresAtUtc ? String(card.fields.expiresAtUtc).replace('Z', '') : null,
    },
  });

  const listening = (on: StrangeAccount) => on.hooks.filter(({ failed }) => failed < 6);

  /** Written with blanks, and without what has no value. */
  function message(card: StrangeCard, currency: string, topic: string): string {
    const { recipientName, recipientEmailAddress, buyerName, buyerEmailAddress, giftMessage, expiresAtUtc } = card.fields;
    const isGift = card.fields.sendAsGift === true;
    const amount = (value: number) => `${currency} ${(value / 100).toFixed(2).replace('.', ',')}`;
    const page = `https://cards.example/${card.id}`;
    const said = {
      WebhookTopic: `giftcard/${topic}`,
      RequestId: crypto.randomUUID().toUpperCase(),
      GiftCardId: String(card.id),
      Code: card.code,
      Status: card.status,
      CreatedAt: new Date(card.issued).toISOString().replace('.000Z', ''),
      InitialValue: Number(card.fields.balance),
      FormattedInitialValue: amount(cents(card.fields.balance)),
      Balance: card.cents / 100,
      FormattedBalance: amount(card.cents),
      TotalIssuedAmount: card.loaded / 100,
      FormattedTotalIssuedAmount: amount(card.loaded),
      Currency: currency,
      ExpiresAtUtc: expiresAtUtc && String(expiresAtUtc).replace('.000Z', ''),
      RecipientName: recipientName,
      RecipientEmailAddress: recipientEmailAddress,
      BuyerName: (isGift ? buyerName : recipientName) ?? null,
      BuyerEmail: (isGift ? buyerEmailAddress : recipientEmailAddress) ?? null,
      GiftCardMessage: giftMessage,
      IsPromotional: card.fields.isPromotional === true,
      IsStoreCredit: false,
      AppleWalletUrl: `${page}/a`,
      GoogleWalletUrl: `${page}/g`,
      PdfUrl: `${page}.pdf`,
      ViewBalanceUrl: page,
      GiftToFriendUrl: `${page}/give`,
      AutomationId: card.fields.rule && String(card.fields.rule),
      ApiEventName: card.fields.event,
      ApiEventProperties: card.fields.said,
    };
    return JSON.stringify(says(said), null, 3);
  }

  let line: Promise<unknown> = Promise.resolve();

  /** Tells every webhook, all at once and none in turn, unless it is to be otherwise. */
  function announce(on: StrangeAccount, card: StrangeCard, topic: string): void {
    for (const hook of listening(on)) {
      const body = message(card, on.currency, topic);
      const signature = createHmac('sha256', String(hook.secret)).update(body).digest('base64');
      const before = inTurn ? line : Promise.resolve();
      line = before
        .then(() => latency > 0 && new Promise((done) => setTimeout(done, latency)))
        .then(() => send(hook.target, body, hook.secret ? { 'HMAC-Signature-SHA256': signature } : {}))
        .then((isTaken) => {
          hook.failed += isTaken ? 0 : 1;
        });
    }
  }

  async function send(url: string, body: string, headers: Record<string, string>): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: { ...headers, 'content-type': 'text/json; charset=utf-8' },
      });
      await response.text();
      return response.ok;
    } catch {
      return false;
    }
  }

  function create(on: StrangeAccount, body: Record<string, unknown>): unknown {
    if (body.sendAsGift && body.shouldSendNotification && !(body.recipientName && body.buyerName))
      throw refuse('both names, please');
    if (on.cards.some(({ code }) => code === body.code)) throw refuse('that code is in use');
    if (body.uniqueId !== undefined && on.used.has(`card ${body.uniqueId}`)) throw refuse('a card was made for it before');
    if (Number.isNaN(cents(body.balance))) throw refuse('how much is on it?', 422);
    on.used.add(`card ${body.uniqueId}`);
    const card = issue(on, body);
    const isGift = body.sendAsGift === true && body.shouldSendNotification === true;
    if (isGift && Date.parse(String(body.giftScheduledForUtc)) > ticks) card.opens = Date.parse(String(body.giftScheduledForUtc));
    else if (isGift) announce(on, card, 'gifted');
    announce(on, card, 'updated');
    return shown(card, on.currency);
  }

  function adjust(on: StrangeAccount, card: StrangeCard | undefined, body: Record<string, unknown>, checked: boolean): unknown {
    if (!card) throw nowhere();
    if (!body.actionedAtUtc || !body.uniqueAdjustmentId) throw refuse('something is missing');
    if (on.used.has(`adjustment ${body.uniqueAdjustmentId}`)) throw refuse('booked before');
    if (card.voucher) throw refuse('vouchers go whole');
    if (card.status === 'Voided') throw refuse('gone', 409);
    if (typeof body.adjustmentAmount !== 'number') throw refuse('an amount, please');
    const amount = cents(body.adjustmentAmount);
    if (Number.isNaN(amount)) throw refuse('how much?', 422);
    if (checked && amount < 0 && card.cents + amount < 0) throw refuse('not that much on it', 422);
    on.used.add(`adjustment ${body.uniqueAdjustmentId}`);
    card.cents += amount;
    card.loaded += Math.max(0, amount);
    card.touched = tick();
    const recorded = new Date(card.touched).toISOString();
    card.history.unshift({
      cents: amount,
      memo: body.notes ?? null,
      happened: String(body.actionedAtUtc).replace('.000Z', '+00:00'),
      recorded,
    });
    return true;
  }

  /** Two automations wait for a party, one for a first visit and once only; of either account. */
  const rules = () => [
    { rule: 11, on: 'party', worth: 7, limit: Number.POSITIVE_INFINITY, runs: new Set<unknown>() },
    { rule: 12, on: 'party', worth: 3, limit: Number.POSITIVE_INFINITY, runs: new Set<unknown>() },
    { rule: 13, on: 'first visit', worth: 2, limit: 1, runs: new Set<unknown>() },
  ];
  const rulesOf = new Map([
    [first, rules()],
    [second, rules()],
  ]);

  function happen(on: StrangeAccount, body: Record<string, unknown>): unknown {
    if (!body.event_name) throw refuse('which event?');
    const made: unknown[] = [];
    const outcome = (rulesOf.get(on) ?? []).flatMap(({ rule, on: name, worth, limit, runs }) => {
      if (name !== body.event_name) return [];
      if (runs.size >= limit) return [{ rule, came_to: 'SkippedUsageLimit' }];
      const key = body.idempotency_key ?? Symbol('no key');
      if (runs.has(key)) return [{ rule, came_to: 'SkippedIdempotent' }];
      runs.add(key);
      const card = issue(on, {
        balance: body.amount ?? worth,
        recipientEmailAddress: body.recipient_email,
        rule,
        event: name,
        said: Object.keys(body.properties ?? {}).length === 0 ? undefined : body.properties,
      });
      announce(on, card, 'updated');
      made.push({ card_ref: card.id, worth: card.cents });
      return [{ rule, came_to: 'Created' }];
    });
    return { made_now: made, by_rule: outcome };
  }

  const cancel = (on: StrangeAccount, card: StrangeCard) => {
    Object.assign(card, { status: 'Voided', cents: 0, touched: tick() });
    announce(on, card, 'voided');
    return { cancelled: true };
  };

  const told = (card: StrangeCard, currency: string) => ({
    subject: shown(card, currency),
    bookings: [
      ...card.history.map(({ cents, memo, happened, recorded }) => ({
        value: { number: Math.abs(cents) / 100 },
        kind: cents < 0 ? 'OUT' : 'IN',
        memo,
        when: { happened, recorded },
      })),
      {
        value: { number: Number(card.fields.balance) },
        kind: 'ISSUE',
        memo: null,
        when: { recorded: new Date(card.issued).toISOString() },
      },
    ],
  });

  function list(on: StrangeAccount, query: URLSearchParams): unknown {
    const size = Number(query.get('pageSize') ?? 10);
    if (size > 50) throw refuse('too many', 422);
    const since = query.get('since');
    const after = since === null ? Number.NEGATIVE_INFINITY : Date.parse(/Z$|[+-]\d\d:\d\d$/.test(since) ? since : `${since}Z`);
    const cards = on.cards
      .filter(({ deleted, issued }) => (!deleted || query.get('includeAll') === 'true') && issued > after)
      .toSorted((a, b) => b.touched - a.touched);
    const start = size * Number(query.get('pageNumber') ?? 0);
    return {
      totalCount: cards.length,
      giftCards: cards.slice(start, start + size).map(({ id, code }) => ({ ref: id, number: code })),
    };
  }

  const deliveryOf = (moment: number) =>
    giftsEvery === 0 ? moment : Math.ceil(moment / (giftsEvery * HOUR)) * giftsEvery * HOUR;

  /** What has come about by itself. */
  function settle(on: StrangeAccount): void {
    for (const card of on.cards) {
      if (card.status !== 'Voided' && card.opens !== undefined && deliveryOf(card.opens) < ticks) {
        card.status = 'Active';
        delete card.opens;
        announce(on, card, 'gifted');
      }
      if (card.status === 'Active' && Date.parse(String(card.fields.expiresAtUtc)) < ticks) {
        card.status = 'Expired';
        announce(on, card, 'expired');
      }
    }
  }

  function route(on: StrangeAccount, method: string, url: URL, body: Record<string, unknown>): unknown {
    settle(on);
    const [, , group, action, named] = url.pathname.split('/').map(plain);
    const byCode = (code: unknown) => on.cards.find((card) => card.code === code && !card.deleted);
    const byId = (id: unknown) => on.cards.find((card) => String(card.id) === String(id));
    const found = (card: StrangeCard | undefined) => {
      if (!card) throw nowhere();
      return card;
    };
    switch (`${method} ${group}/${action ?? ''}`) {
      case 'POST GiftCard/Create':
        return create(on, body);
      case 'GET GiftCard/GetByCode':
        return shown(found(byCode(named)), on.currency);
      case 'GET GiftCard/GetById':
        return shown(found(byId(named)), on.currency);
      case 'GET GiftCard/GetByEmail':
        return {
          hits: on.cards
            .filter(({ fields }) => fields.recipientEmailAddress === url.searchParams.get('emailAddress'))
            .map(({ id }) => id),
        };
      case 'GET GiftCard/GetByAccountPlatformIdAndSourceId': {
        const [shop, id] = [url.searchParams.get('platform'), url.searchParams.get('platformGiftCardId')];
        const card = on.cards.find(({ fields, deleted }) => shop === 'shop' && fields.shopId === id && !deleted);
        return { matches: card ? [shown(card, on.currency)] : [] };
      }
      case 'GET GiftCard/List':
        return list(on, url.searchParams);
      case 'DELETE GiftCard/VoidByCode':
        return cancel(on, found(byCode(named)));
      case 'DELETE GiftCard/VoidById':
        return cancel(on, found(byId(named)));
      case 'GET GiftCardAdjustment/ListAdjustmentsByGiftCardCode':
        return told(found(byCode(named)), on.currency);
      case 'GET GiftCardAdjustment/ListAdjustmentsByGiftCardId':
        return told(found(byId(named)), on.currency);
      case 'POST GiftCardAdjustment/AddAdjustmentByGiftCardCode':
        return adjust(on, byCode(body.giftCardCode), body, false);
      case 'POST GiftCardAdjustment/AddAdjustmentByGiftCardId':
        return adjust(on, byId(body.cardId), body, true);
      case 'POST AutomationTriggerEvents/':
        return happen(on, body);
      case 'GET Company/Profile':
        return { business: 'Stranger', money: { iso: on.currency }, zone: 'Europe/Oslo' };
      case 'POST Webhook/Create':
        serial += 13;
        if (!body.url) throw refuse('where to?', 422);
        on.hooks.push({
          hookId: serial,
          target: String(body.url),
          secret: body.requestHeaderVerificationToken,
          label: body.description,
          failed: 0,
        });
        void fetch(String(body.url), looks).catch(() => undefined);
        return 'noted';
      case 'GET Webhook/List':
        return { hooks: listening(on).map(({ hookId, target, label }) => ({ hookId, target, label, state: 'ok' })) };
      case 'DELETE Webhook/Delete':
        if (!listening(on).some(({ hookId }) => String(hookId) === named)) throw nowhere();
        on.hooks = on.hooks.filter(({ hookId }) => String(hookId) !== named);
        return null;
      default:
        throw nowhere();
    }
  }

  /** Whether this request is one too many in a minute of the clock. */
  function tooMany(on: StrangeAccount): boolean {
    const minute = Math.floor((Date.now() + ahead) / 60_000);
    if (on.minute !== minute) Object.assign(on, { minute, asked: 0 });
    on.asked += 1;
    return on.asked > perMinute;
  }

  return {
    key: 'one',
    profile: {
      secondKey: 'two',
      deletedKey: 'was-deleted',
      basicKey: 'cheap',
      plusKey: 'one',
      keyDescription: 'the only key',
      unreachableGift: { code: 'alone', dueInDays: 2 },
      expiringGift: { code: 'brief', dueInDays: 2 },
      expiringDeletedCard: { code: 'fading', dueInDays: 2 },
      voucherCode: 'bon',
      expiredCode: 'old',
      scheduledCode: 'later',
      deletedCode: 'dead',
      spareDeletedCode: 'dust',
      deletedRecipient: 'late@example.org',
      storeCreditCode: 'credit',
      channelCard: { code: 'credit', source: 'shop', sourceId: 'x-1' },
      deletedChannelCard: { source: 'shop', sourceId: 'x-2' },
      defaultExpiryDays: 0,
      secondDefaultExpiryDays: 30,
      playMoney: true,
      clock: { advance: { method: 'PUT', url: '/later?seconds={seconds}' } },
      automationEvent: { name: 'party', amount: 7, automations: 2, hasInactive: true, hasOtherTrigger: true },
      secondAutomationEvent: 'party',
      usedUpAutomationEvent: 'first visit',
    },
    async fetch(request: Request): Promise<Response> {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === '/later') {
        const forward = 1_000 * Number(searchParams.get('seconds'));
        ticks += forward;
        ahead += forward;
        settle(first);
        return new Response(null, { status: 204 });
      }
      const on = keys.get(request.headers.get('x-api-key') ?? '');
      if (!on) return new Response(null, { status: 401 });
      if (on === 'basic') return Response.json({ upgrade: 'please' }, { status: 402 });
      if (tooMany(on)) return Response.json({ slower: true }, { status: 429, headers: { 'retry-after': 'soon' } });
      const text = await request.text();
      try {
        const reply = route(on, request.method, new URL(request.url), read(text));
        return Response.json(reply);
      } catch (thrown) {
        if (thrown instanceof Answer) return thrown.response;
        throw thrown;
      }
    },
  };
}
