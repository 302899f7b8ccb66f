import type { ServerAccount, ServerState } from './faults/hooks.ts';
import { DAY_MS, type ServerAdjustment, type ServerCard } from './records.ts';
import { deliver } from './webhooks.ts';
import { addAmounts, notFound, readAmount, refusedWith, refuseIf, rejected, ServerRefusal } from './wire.ts';

export type NamedBy = 'code' | 'ID';

/** Creates a card without a check. */
export function issueCard(account: ServerAccount, fields: Record<string, unknown>, more: Partial<ServerCard> = {}): ServerCard {
  const { service } = account;
  const { idOf, newCode, tick } = service.options;
  service.now += tick;
  const balance = readAmount(account, fields.balance);
  const expiry = 'expiresAtUtc' in fields ? Date.parse(String(fields.expiresAtUtc)) : defaultExpiry(account);
  const card: ServerCard = {
    id: idOf(service.nextSerial()),
    code: String(fields.code ?? newCode()),
    balance,
    loaded: balance,
    status: 'Active',
    fields,
    issuedAt: service.now,
    issuedAtRealTime: Date.now() + service.advanced,
    updatedAt: service.now,
    updates: 0,
    expiresAt: Number.isNaN(expiry) ? undefined : expiry,
    entries: [],
    giftDueAt: undefined,
    isVoucher: false,
    isDeleted: false,
    ...more,
  };
  record(service, card, 'issue', balance);
  account.cards.push(card);
  service.update(card);
  return card;
}

const defaultExpiry = ({ defaultExpiryDays, service }: ServerAccount): number =>
  defaultExpiryDays === 0 ? Number.NaN : service.now + defaultExpiryDays * DAY_MS;

export function handleCreate(account: ServerAccount, body: Record<string, unknown>): unknown {
  const { service } = account;
  const { options } = service;
  const isGift = body.sendAsGift === true && body.shouldSendNotification === true;
  if (isGift && !(body.recipientName && body.buyerName)) throw rejected('both names, please');
  if (isCodeTaken(account, body.code)) throw rejected('that code is in use');
  if (isUniqueIdUsed(account, body.uniqueId)) throw rejected('a card was created for it before');
  readAmount(account, body.balance);
  const isPast = Date.parse(String(body.expiresAtUtc)) <= service.now;
  if (isPast) refuseIf(refusedWith(service, options.pastExpiryStatus, 'that is over'));
  const card = issueCard(account, body);
  if (body.uniqueId !== undefined) account.uniqueIds.set(String(body.uniqueId), { card, at: service.now });
  const giftDueAt = isGift ? Date.parse(String(body.giftScheduledForUtc)) : Number.NaN;
  if (giftDueAt > service.now) card.giftDueAt = giftDueAt;
  else if (isGift) deliver(account, card, 'gifted');
  deliver(account, card, 'updated');
  return cardView(account, card);
}

function isCodeTaken({ cards, service }: ServerAccount, code: unknown): boolean {
  const { foldsNewCodes } = service.options;
  if (code === undefined) return false;
  const text = (value: unknown) => (foldsNewCodes ? String(value).toLowerCase() : String(value));
  return cards.some((card) => text(card.code) === text(code) && !isFree(card, service));
}

function isUniqueIdUsed({ uniqueIds, service }: ServerAccount, uniqueId: unknown): boolean {
  const used = uniqueId === undefined ? undefined : uniqueIds.get(String(uniqueId));
  return used !== undefined && isRemembered(service, used.at) && !isFree(used.card, service);
}

export const isRemembered = ({ options, now }: ServerState, at: number): boolean =>
  !options.forgetsUniqueValuesAfterDay || now - at < DAY_MS;

const isFree = ({ isDeleted, status }: ServerCard, { options: { frees } }: ServerState): boolean =>
  (isDeleted && frees.deleted) || (status === 'Voided' && frees.voided) || (status === 'Expired' && frees.expired);

const findBy = (account: ServerAccount, by: NamedBy, name: unknown): ServerCard | undefined =>
  by === 'ID' ? findById(account, String(name)) : findByCode(account, String(name));

/** Returns the card that a lookup finds. Throws a 404. */
export function findCard(account: ServerAccount, by: NamedBy, name: unknown): ServerCard {
  const card = findBy(account, by, name);
  if (!card) throw notFound();
  return card;
}

/** Returns the card that a void or an adjustment finds. Throws a 404. */
export function findChangeable(account: ServerAccount, by: NamedBy, name: unknown): ServerCard {
  const { foldsNames, findsDeleted } = account.service.options;
  const code = String(name).toLowerCase();
  const folded = foldsNames && by === 'code' ? account.cards.findLast((card) => card.code.toLowerCase() === code) : undefined;
  const card = findBy(account, by, name) ?? folded;
  if (!card || (card.isDeleted && !findsDeleted.changes)) throw notFound();
  return card;
}

function findById({ cards, service }: ServerAccount, id: string): ServerCard | undefined {
  const { foldsNames, findsDeleted } = service.options;
  const isMeant = (own: string) => own === id || (foldsNames && own.toLowerCase() === id.toLowerCase());
  const card = cards.find((each) => isMeant(String(each.id)));
  return card?.isDeleted && !findsDeleted.byId ? undefined : card;
}

function findByCode({ cards, service }: ServerAccount, code: string): ServerCard | undefined {
  const present = cards.findLast((card) => card.code === code && !card.isDeleted);
  return present ?? (service.options.findsDeleted.byCode ? cards.findLast((card) => card.code === code) : undefined);
}

export function voidOnRequest(account: ServerAccount, card: ServerCard): unknown {
  const { voidAgainStatus } = account.service.options;
  if (card.status !== 'Voided') setVoided(account, card);
  else if (voidAgainStatus !== 200) throw new ServerRefusal(voidAgainStatus, 'voided before');
  return { cancelled: true };
}

export function setVoided(account: ServerAccount, card: ServerCard): void {
  const { service } = account;
  card.balance = 0;
  card.status = 'Voided';
  service.update(card);
  deliver(account, card, 'voided');
}

export function addToBalance({ options }: ServerState, card: ServerCard, amount: number): void {
  card.balance = addAmounts(card.balance, amount);
  if (card.status === 'Active' || card.status === 'Redeemed')
    card.status = options.emptyIsRedeemed && card.balance <= 0 ? 'Redeemed' : 'Active';
}

export function record(
  service: ServerState,
  card: ServerCard,
  type: ServerAdjustment['type'],
  amount: number,
  more: Partial<ServerAdjustment> = {},
): void {
  const actionedAtUtc = new Date(service.now).toISOString();
  card.entries.push({ type, amount, notes: undefined, actionedAtUtc, recordedAt: service.now, ...more });
}

export function cardView({ currency, service: { options } }: ServerAccount, card: ServerCard): Record<string, unknown> {
  const { showsIssueTime, formatTime } = options;
  const { id, code, balance, status, fields, issuedAt, updatedAt, expiresAt } = card;
  const page = `https://cards.example/${id}`;
  return {
    id,
    code,
    balance,
    currency,
    status,
    viewBalanceUrl: page,
    appleWalletUrl: `${page}/a`,
    googleWalletUrl: `${page}/g`,
    customField1: fields.customField1 ?? null,
    customField2: fields.customField2 ?? null,
    customField3: fields.customField3 ?? null,
    remark: fields.notes ? `${fields.notes} (API, the only key)` : null,
    lifecycle: {
      issuedOn: showsIssueTime ? formatTime(issuedAt) : undefined,
      touchedOn: formatTime(updatedAt),
      until: expiresAt === undefined ? null : formatTime(expiresAt),
    },
  };
}

export function handleList(account: ServerAccount, query: URLSearchParams): unknown {
  const { cards, service } = account;
  const { listedCard } = service.options;
  const size = Number(query.get('pageSize') ?? 10);
  if (!(size >= 1 && size <= 50)) throw new ServerRefusal(422, 'not a page size');
  const since = query.get('since');
  const after = since === null ? Number.NEGATIVE_INFINITY : Date.parse(/Z$|[+-]\d\d:\d\d$/.test(since) ? since : `${since}Z`);
  const listed = cards
    .filter(({ issuedAt }) => issuedAt > after)
    .filter(({ isDeleted }) => !isDeleted || query.get('includeAll') === 'true')
    .sort((one, other) => other.updates - one.updates);
  const first = Number(query.get('pageNumber') ?? 0) * size;
  return {
    totalCount: listed.length,
    giftCards: listed.slice(first, first + size).map((card) => listedCard(card, cardView(account, card))),
  };
}

export const cardsSentTo = ({ cards }: ServerAccount, query: URLSearchParams): unknown => ({
  hits: cards.filter(({ fields }) => fields.recipientEmailAddress === query.get('emailAddress')).map(({ id }) => id),
});

export function cardOfChannel(account: ServerAccount, query: URLSearchParams): unknown {
  const [channel, id] = [query.get('platform'), query.get('platformGiftCardId')];
  const card = account.cards.find(({ fields, isDeleted }) => channel === 'shop' && fields.shopId === id && !isDeleted);
  return { matches: card ? [cardView(account, card)] : [] };
}
