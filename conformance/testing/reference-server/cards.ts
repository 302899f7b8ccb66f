import type { Account, Service } from './faults/seams.ts';
import { type Card, DAY, type Entry } from './records.ts';
import { deliver } from './webhooks.ts';
import { amountOf, notFound, Refusal, refusedWith, refuseIf, rejected, sum } from './wire.ts';

export type By = 'code' | 'ID';

/** Creates a card without a check. */
export function issue(account: Account, fields: Record<string, unknown>, more: Partial<Card> = {}): Card {
  const { service } = account;
  const { idOf, newCode, tick } = service.options;
  service.now += tick;
  const balance = amountOf(account, fields.balance);
  const expiry = 'expiresAtUtc' in fields ? Date.parse(String(fields.expiresAtUtc)) : defaultExpiry(account);
  const card: Card = {
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

const defaultExpiry = ({ defaultExpiryDays, service }: Account): number =>
  defaultExpiryDays === 0 ? Number.NaN : service.now + defaultExpiryDays * DAY;

export function create(account: Account, body: Record<string, unknown>): unknown {
  const { service } = account;
  const { options } = service;
  const isGift = body.sendAsGift === true && body.shouldSendNotification === true;
  if (isGift && !(body.recipientName && body.buyerName)) throw rejected('both names, please');
  if (isCodeTaken(account, body.code)) throw rejected('that code is in use');
  if (isUniqueIdUsed(account, body.uniqueId)) throw rejected('a card was created for it before');
  amountOf(account, body.balance);
  const isPast = Date.parse(String(body.expiresAtUtc)) <= service.now;
  if (isPast) refuseIf(refusedWith(service, options.pastExpiryStatus, 'that is over'));
  const card = issue(account, body);
  if (body.uniqueId !== undefined) account.uniqueIds.set(String(body.uniqueId), { card, at: service.now });
  const giftDueAt = isGift ? Date.parse(String(body.giftScheduledForUtc)) : Number.NaN;
  if (giftDueAt > service.now) card.giftDueAt = giftDueAt;
  else if (isGift) deliver(account, card, 'gifted');
  deliver(account, card, 'updated');
  return cardView(account, card);
}

function isCodeTaken({ cards, service }: Account, code: unknown): boolean {
  const { foldsNewCodes } = service.options;
  if (code === undefined) return false;
  const text = (value: unknown) => (foldsNewCodes ? String(value).toLowerCase() : String(value));
  return cards.some((card) => text(card.code) === text(code) && !isFree(card, service));
}

function isUniqueIdUsed({ uniqueIds, service }: Account, uniqueId: unknown): boolean {
  const used = uniqueId === undefined ? undefined : uniqueIds.get(String(uniqueId));
  return used !== undefined && isRemembered(service, used.at) && !isFree(used.card, service);
}

export const isRemembered = ({ options, now }: Service, at: number): boolean =>
  !options.forgetsUniqueValuesAfterDay || now - at < DAY;

const isFree = ({ isDeleted, status }: Card, { options: { frees } }: Service): boolean =>
  (isDeleted && frees.deleted) || (status === 'Voided' && frees.voided) || (status === 'Expired' && frees.expired);

const findBy = (account: Account, by: By, name: unknown): Card | undefined =>
  by === 'ID' ? findById(account, String(name)) : findByCode(account, String(name));

/** Returns the card that a lookup finds. Throws a 404. */
export function findCard(account: Account, by: By, name: unknown): Card {
  const card = findBy(account, by, name);
  if (!card) throw notFound();
  return card;
}

/** Returns the card that a void or an adjustment finds. Throws a 404. */
export function findChangeable(account: Account, by: By, name: unknown): Card {
  const { foldsNames, findsDeleted } = account.service.options;
  const code = String(name).toLowerCase();
  const folded = foldsNames && by === 'code' ? account.cards.findLast((card) => card.code.toLowerCase() === code) : undefined;
  const card = findBy(account, by, name) ?? folded;
  if (!card || (card.isDeleted && !findsDeleted.changes)) throw notFound();
  return card;
}

function findById({ cards, service }: Account, id: string): Card | undefined {
  const { foldsNames, findsDeleted } = service.options;
  const isMeant = (own: string) => own === id || (foldsNames && own.toLowerCase() === id.toLowerCase());
  const card = cards.find((each) => isMeant(String(each.id)));
  return card?.isDeleted && !findsDeleted.byId ? undefined : card;
}

function findByCode({ cards, service }: Account, code: string): Card | undefined {
  const present = cards.findLast((card) => card.code === code && !card.isDeleted);
  return present ?? (service.options.findsDeleted.byCode ? cards.findLast((card) => card.code === code) : undefined);
}

export function voidOnRequest(account: Account, card: Card): unknown {
  const { voidAgainStatus } = account.service.options;
  if (card.status !== 'Voided') voidCard(account, card);
  else if (voidAgainStatus !== 200) throw new Refusal(voidAgainStatus, 'voided before');
  return { cancelled: true };
}

export function voidCard(account: Account, card: Card): void {
  const { service } = account;
  card.balance = 0;
  card.status = 'Voided';
  service.update(card);
  deliver(account, card, 'voided');
}

export function addToBalance({ options }: Service, card: Card, amount: number): void {
  card.balance = sum(card.balance, amount);
  if (card.status === 'Active' || card.status === 'Redeemed')
    card.status = options.emptyIsRedeemed && card.balance <= 0 ? 'Redeemed' : 'Active';
}

export function record(service: Service, card: Card, type: Entry['type'], amount: number, more: Partial<Entry> = {}): void {
  const actionedAtUtc = new Date(service.now).toISOString();
  card.entries.push({ type, amount, notes: undefined, actionedAtUtc, recordedAt: service.now, ...more });
}

export function cardView({ currency, service: { options } }: Account, card: Card): Record<string, unknown> {
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
