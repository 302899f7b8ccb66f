import { describe, expect, test } from 'vitest';
import type { ClauseName } from '../../../openapi/generated/clauses.ts';
import { checks } from '../../core/clause.ts';
import '../../clauses/index.ts';
import '../../probes/index.ts';
import { runClauses } from '../../core/run.ts';
import { strangerWith } from './pieces.ts';

const answering201 = (path: string) => `return Response.json(reply, { status: request.url.includes('${path}') ? 201 : 200 });`;

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are pieces of source text
/** The stranger, broken on purpose: a clause, and the replacement of one piece that violates it. Its own test must notice. */
const breaks: [ClauseName, string, string][] = [
  ['adjustment.answers-true', 'return true;', 'return { ok: true };'],
  ['adjustment.answers-200', 'return Response.json(reply);', answering201('/AddAdjustment')],
  ['adjustment.positive-tops-up', 'card.cents += amount;', 'card.cents += Math.min(amount, 0);'],
  ['adjustment.positive-tops-up', 'card.cents += amount;', 'card.cents += Math.trunc(amount / 10) * 10;'],
  ['adjustment.negative-redeems', 'card.cents += amount;', 'card.cents += Math.abs(amount);'],
  ['adjustment.is-relative', 'card.cents += amount;', 'card.cents = amount;'],
  ['adjustment.by-code.names-card-by-code', 'byCode(body.giftCardCode), body, false', 'on.cards.at(-1), body, false'],
  ['adjustment.by-code.unknown-card-is-404', 'if (!card) throw nowhere();\n  if', "if (!card) throw refuse('no');\n  if"],
  ['adjustment.by-id.unknown-card-is-404', 'if (!card) throw nowhere();\n  if', "if (!card) throw refuse('no');\n  if"],
  ['adjustment.by-code.may-go-negative', 'body, false);', 'body, true);'],
  ['adjustment.by-id.refuses-overdraw', 'body, true);', 'body, false);'],
  ['adjustment.by-id.takes-whole-balance', 'card.cents + amount < 0', 'card.cents + amount <= 0'],
  [
    'adjustment.by-id.refuses-redemption-below-zero',
    'amount < 0 && card.cents + amount < 0',
    'amount < 0 && card.cents > 0 && card.cents + amount < 0',
  ],
  ['adjustment.by-id.tops-up-below-zero', 'amount < 0 && card.cents + amount < 0', 'card.cents + amount < 0'],
  ['adjustment.requires-actioned-at', '!body.actionedAtUtc || ', ''],
  ['adjustment.requires-unique-id', ' || !body.uniqueAdjustmentId', ''],
  [
    'adjustment.keeps-actioned-at',
    "String(body.actionedAtUtc).replace('.000Z', '+00:00')",
    'new Date(on.service.ticks).toISOString()',
  ],
  ['adjustment.keeps-notes', 'memo: body.notes ?? null', "memo: 'adjusted'"],
  ['adjustment.notes-are-optional', '!body.actionedAtUtc ||', '!body.notes || !body.actionedAtUtc ||'],
  ['adjustment.voucher-refused', 'if (card.voucher)', 'if (card.voucher && Number(body.adjustmentAmount) > 0)'],
  ['adjustment.recorded-in-history', 'card.history.unshift(', 'void ('],
  ['adjustment.by-id.names-card-by-id', 'byId(body.cardId), body, true', 'on.cards.at(-1), body, true'],
  ['adjustment.history.by-code-shows-card-and-entries', 'subject: shown(card, currency)', 'subject: null'],
  ['adjustment.history.by-id-shows-card-and-entries', 'subject: shown(card, currency)', 'subject: null'],
  ['adjustment.history.newest-first', 'card.history.unshift(', 'card.history.push('],
  ['adjustment.history.entry-tells-amount-type-notes-time', 'when: { happened, recorded },', ''],
  ['adjustment.history.entry-tells-amount-type-notes-time', "kind: cents < 0 ? 'OUT' : 'IN',", 'kind: 1,'],
  ['adjustment.history.entry-tells-amount-type-notes-time', "kind: cents < 0 ? 'OUT' : 'IN',", "kind: 'NOK',"],
  ['delivery.expired.on-expiry', "announce(on, card, 'expired');", ''],
  ['emails.gifted-deferred', "else if (isGift) announce(on, card, 'gifted');", "if (isGift) announce(on, card, 'gifted');"],
  ['delivery.payload.automation', 'AutomationId: card.fields.rule && String(card.fields.rule),', ''],
  ['delivery.payload.api-event-name', 'ApiEventName: card.fields.event,', "ApiEventName: 'party',"],
  [
    'delivery.payload.api-event-properties',
    'ApiEventProperties: card.fields.said,',
    'ApiEventProperties: card.fields.event && {},',
  ],
  ['automation.properties-stored', 'ApiEventProperties: card.fields.said,', ''],
  [
    'idempotency.automation.checked-per-account',
    'runs.add(key);',
    'for (const { rules } of [on.service.first, on.service.second]) for (const other of rules) other.runs.add(key);',
  ],
  ['authentication.paid-plans-admitted', "['one', first],", "['one', 'basic'],"],
  ['gift-card.create.notes-record-origin', '(API, the only key)', '(the API)'],
  [
    'gift-card.get-by-source.finds-channel-card',
    'matches: card ? [shown(card, on.currency)] : []',
    'matches: on.cards.map((each) => shown(each, on.currency))',
  ],
  [
    'adjustment.history.unknown-code-is-404',
    "case 'GET GiftCardAdjustment/ListAdjustmentsByGiftCardCode':",
    "case 'GET GiftCardAdjustment/ListAdjustmentsByGiftCardCode':\n if (!byCode(named)) return { bookings: [] };",
  ],
  [
    'adjustment.history.unknown-id-is-404',
    "case 'GET GiftCardAdjustment/ListAdjustmentsByGiftCardId':",
    "case 'GET GiftCardAdjustment/ListAdjustmentsByGiftCardId':\n if (!byId(named)) return { bookings: [] };",
  ],
  ['authentication.missing-key-is-401', "?? '');", "?? 'one');"],
  ['authentication.wrong-key-is-401', '{ status: 401 }', "{ status: request.headers.has('x-api-key') ? 403 : 401 }"],
  ['authentication.deleted-key-is-401', "['two', second],", "['two', second], ['was-deleted', first],"],
  ['authentication.key-acts-on-its-own-account', "['two', second],", "['two', first],"],
  [
    'authentication.foreign-record-is-404',
    'const byId = (id: unknown) => on.cards',
    'const byId = (id: unknown) => [...on.service.first.cards, ...on.service.second.cards]',
  ],
  [
    'authentication.foreign-record-is-404',
    'if (!on) return',
    "if (on === service.second && request.url.includes('/Void')) return new Response(null, { status: 403 }); if (!on) return",
  ],
  [
    'authentication.lists-own-records-only',
    'const cards = on.cards\n',
    'const cards = [...on.service.first.cards, ...on.service.second.cards]\n',
  ],
  [
    'authentication.lists-own-records-only',
    'return { hooks: listening(on)',
    'return { hooks: [...on.service.first.hooks, ...on.service.second.hooks]',
  ],
  ['authentication.lists-own-records-only', 'hits: on.cards', 'hits: [...on.service.first.cards, ...on.service.second.cards]'],
  ['authentication.basic-plan-refused', "['cheap', 'basic']", "['cheap', second]"],
  ['gift-card.create.returns-the-card', 'return shown(card, on.currency);', 'return { card: shown(card, on.currency) };'],
  ['gift-card.create.answers-200', 'return Response.json(reply);', answering201('GiftCard/Create')],
  ['gift-card.create.starts-active', "status: 'Active',", "status: fields.giftScheduledForUtc ? 'Scheduled' : 'Active',"],
  ['gift-card.create.starts-with-given-balance', 'cents: cents(fields.balance),', 'cents: 0,'],
  ['gift-card.create.uses-account-currency', 'return shown(card, on.currency);', "return shown(card, 'USD');"],
  ['gift-card.create.keeps-given-code', 'code: String(fields.code ??', 'code: String(fields.code?.toString().slice(1) ??'],
  ['gift-card.create.generates-code', '`zz-${serial}-${Math.random().toString(36).slice(2)}`', "'zz-always'"],
  ['gift-card.create.code-follows-account-format', 'zz-${serial}', 'yy-${serial}'],
  ['gift-card.create.default-expiry-applies', 'on.lifetime === 0 ? fields', 'on.lifetime >= 0 ? fields'],
  ['gift-card.create.no-default-expiry-never-expires', 'on.lifetime === 0 ? fields', 'on.lifetime === -1 ? fields'],
  [
    'gift-card.create.no-default-expiry-never-expires',
    'String(card.fields.expiresAtUtc)) < ticks',
    "String(card.fields.expiresAtUtc ?? '2001-01-01')) < ticks",
  ],
  ['gift-card.get-by-source.finds-channel-card', 'fields.shopId === id && !deleted', 'fields.shopId && !deleted'],
  [
    'gift-card.amounts-in-account-currency',
    'return shown(found(byId(named)), on.currency);',
    "return shown(found(byId(named)), 'USD');",
  ],
  [
    'gift-card.amounts-in-account-currency',
    'value: { number: Math.abs(cents) / 100 }',
    'value: { number: Math.abs(cents) / 1_000 }',
  ],
  ['gift-card.create.refuses-taken-code', 'if (on.cards.some(', 'if (false && on.cards.some('],
  [
    'gift-card.create.code-free-on-other-account',
    'if (on.cards.some(',
    'if ([...on.service.first.cards, ...on.service.second.cards].some(',
  ],
  ['gift-card.create.takes-notes', 'if (body.sendAsGift &&', "if (body.notes) throw refuse('no notes'); if (body.sendAsGift &&"],
  [
    'gift-card.create.stores-custom-fields',
    'customField2: card.fields.customField2 ??',
    'customField2: String(card.fields.customField2).trim() ??',
  ],
  ['gift-card.create.gifted-needs-recipient-name', 'body.recipientName && body.buyerName', 'body.buyerName'],
  ['gift-card.create.gifted-needs-buyer-name', 'body.recipientName && body.buyerName', 'body.recipientName'],
  ['gift-card.response.has-named-fields', 'googleWalletUrl:', 'googleUrl:'],
  [
    'gift-card.response.status-is-one-of-five',
    "Object.assign(card, { status: 'Voided',",
    "Object.assign(card, { status: 'Cancelled',",
  ],
  ['gift-card.response.status-is-one-of-five', 'status: card.status,', 'status: card.status.toUpperCase(),'],
  [
    'gift-card.get-by-code.returns-the-card',
    'return shown(found(byCode(named)), on.currency);',
    'return shown(found(on.cards.at(-1)), on.currency);',
  ],
  ['gift-card.get-by-code.matches-exactly', 'card.code === code &&', 'card.code.toLowerCase() === String(code).toLowerCase() &&'],
  ['gift-card.get-by-code.matches-exactly', 'card.code === code &&', 'card.code === String(code).trim() &&'],
  ['gift-card.get-by-code.matches-exactly', 'card.code === code &&', 'card.code.startsWith(String(code)) &&'],
  [
    'gift-card.get-by-code.unknown-is-404',
    "case 'GET GiftCard/GetByCode':",
    "case 'GET GiftCard/GetByCode':\n if (!byCode(named)) return null;",
  ],
  [
    'gift-card.get-by-id.returns-the-card',
    'return shown(found(byId(named)), on.currency);',
    'return shown(found(on.cards.at(-1)), on.currency);',
  ],
  [
    'gift-card.get-by-id.unknown-is-404',
    "case 'GET GiftCard/GetById':",
    "case 'GET GiftCard/GetById':\n if (!byId(named)) return null;",
  ],
  [
    'gift-card.get-by-email.finds-cards-sent-to-recipient',
    "fields.recipientEmailAddress === query.get('emailAddress')",
    'fields',
  ],
  ['gift-card.get-by-email.finds-cards-sent-to-recipient', 'fields.recipientEmailAddress ===', 'fields.buyerEmailAddress ==='],
  ['gift-card.void.by-code-voids', 'return cancel(on, found(byCode(named)));', 'found(byCode(named)); return true;'],
  ['gift-card.void.by-id-voids', 'return cancel(on, found(byId(named)));', 'return cancel(on, found(on.cards.at(-1)));'],
  ['gift-card.void.zeroes-balance', "status: 'Voided', cents: 0,", "status: 'Voided',"],
  [
    'gift-card.void.any-state',
    "Object.assign(card, { status: 'Voided',",
    "if (card.cents < 0) throw refuse('below zero'); Object.assign(card, { status: 'Voided',",
  ],
  [
    'gift-card.void.any-state',
    "Object.assign(card, { status: 'Voided',",
    "if (card.status === 'Expired') throw refuse('too late'); Object.assign(card, { status: 'Voided',",
  ],
  [
    'gift-card.void.any-state',
    "Object.assign(card, { status: 'Voided',",
    "if (card.voucher) throw refuse('vouchers go whole'); Object.assign(card, { status: 'Voided',",
  ],
  ['gift-card.void.is-final', "if (card.status === 'Voided') throw refuse('gone', 409);", "card.status = 'Active';"],
  ['gift-card.void.still-found', "status: 'Voided', cents: 0,", "status: 'Voided', deleted: true, cents: 0,"],
  [
    'gift-card.void.unknown-code-is-404',
    'return cancel(on, found(byCode(named)));',
    'if (byCode(named)) cancel(on, found(byCode(named))); return true;',
  ],
  [
    'gift-card.void.unknown-id-is-404',
    'return cancel(on, found(byId(named)));',
    'if (byId(named)) cancel(on, found(byId(named))); return true;',
  ],
  ['errors.rejection-is-400-plain-text', "typeof body === 'string' ? new Response(body, { status }) :", ''],
  ['idempotency.create.unique-id-optional', 'body.uniqueId !== undefined && ', ''],
  ['idempotency.create.refuses-repeat', 'on.used.add(`card ${body.uniqueId}`);', ''],
  [
    'idempotency.create.refuses-repeat',
    'if (on.cards.some(',
    "if (on.used.has(`card ${body.uniqueId}`)) issue(on, body); if (on.cards.some(({ code, fields }) => code === body.code && fields.uniqueId !== body.uniqueId)) throw refuse('x'); if (false && on.cards.some(",
  ],
  ['idempotency.create.refuses-repeat', "throw refuse('a card was made for it before');", "throw refuse('');"],
  [
    'idempotency.create.checked-per-account',
    'on.used.has(`card ',
    '[...on.service.first.used, ...on.service.second.used].includes(`card ',
  ],
  ['idempotency.adjustment.refuses-repeat', 'on.used.add(`adjustment ${body.uniqueAdjustmentId}`);', ''],
  ['idempotency.adjustment.refuses-repeat', "throw refuse('booked before');", "throw refuse(' ');"],
  [
    'idempotency.adjustment.repeat-with-other-content-refused',
    'if (on.used.has(`adjustment ${body.uniqueAdjustmentId}`))',
    'if (on.used.has(`adjustment ${body.uniqueAdjustmentId}`) && card.history.some(({ memo }) => memo === body.notes))',
  ],
  [
    'idempotency.adjustment.repeat-on-other-card-refused',
    "throw refuse('booked before');",
    "{ if (card.history.length > 0 && card.cents !== 125) throw refuse('booked before'); }",
  ],
  [
    'idempotency.adjustment.repeat-by-other-endpoint-refused',
    'if (on.used.has(`adjustment ${body.uniqueAdjustmentId}`))',
    'body.uniqueAdjustmentId += String(checked); if (on.used.has(`adjustment ${body.uniqueAdjustmentId}`))',
  ],
  [
    'idempotency.adjustment.checked-per-account',
    'on.used.has(`adjustment ',
    '[...on.service.first.used, ...on.service.second.used].includes(`adjustment ',
  ],
  [
    'adjustment.parallel-all-count',
    'card.cents += amount;',
    'const sum = card.cents + amount; setTimeout(() => { card.cents = sum; }, 1);',
  ],
  ['gift-card.amounts-exact', 'balance: card.cents / 100,', 'balance: card.cents / 100 + 1e-15,'],
  [
    'authentication.key-is-in-header',
    "request.headers.get('x-api-key') ??",
    "new URL(request.url).searchParams.get('x-api-key') ?? request.headers.get('x-api-key') ??",
  ],
  [
    'idempotency.create.original-stands',
    "throw refuse('a card was made for it before');",
    "{ Object.assign(on.cards.at(-1) ?? {}, { cents: cents(body.balance) }); throw refuse('again'); }",
  ],
  [
    'idempotency.create.parallel-makes-one',
    'on.used.add(`card ${body.uniqueId}`);',
    'setTimeout(() => on.used.add(`card ${body.uniqueId}`), 1);',
  ],
  [
    'idempotency.adjustment.parallel-counts-once',
    'on.used.add(`adjustment ${body.uniqueAdjustmentId}`);',
    'setTimeout(() => on.used.add(`adjustment ${body.uniqueAdjustmentId}`), 1);',
  ],
  ['list.wraps-cards-and-total', 'totalCount: cards.length,', 'total: cards.length,'],
  ['list.page-size-limits', 'cards.slice(start, start + size)', 'cards.slice(start, start + Math.max(size, 3))'],
  ['list.page-size-default', '?? 10);', '?? 20);'],
  ['list.page-size-maximum', 'if (size > 50)', 'if (size > 100)'],
  ['list.page-size-maximum', "throw refuse('too many', 422);", "throw refuse('too many', 500);"],
  [
    'list.page-number-from-zero',
    "const start = size * Number(query.get('pageNumber') ?? 0);",
    "const start = size * Math.max(0, Number(query.get('pageNumber') ?? 1) - 1);",
  ],
  ['list.since-is-strictly-after', 'issued > after', 'issued >= after'],
  [
    'list.since-goes-by-issue',
    '&& issued > after',
    "&& (query.get('pageSize') === '1' || issued > after || on.cards.some((card) => card.issued === issued && card.touched > after))",
  ],
  ['list.hides-deleted-cards', "!deleted || query.get('includeAll') === 'true'", 'true'],
  ['list.include-all-adds-deleted', "!deleted || query.get('includeAll') === 'true'", '!deleted'],
  ['list.last-updated-first', 'b.touched - a.touched', 'b.issued - a.issued'],
  [
    'list.includes-voided',
    '.filter(({ deleted, issued })',
    ".filter(({ status }) => status !== 'Voided').filter(({ deleted, issued })",
  ],
  ['list.includes-redeemed', '.filter(({ deleted, issued })', '.filter(({ cents }) => cents !== 0).filter(({ deleted, issued })'],
  [
    'list.includes-expired',
    '.filter(({ deleted, issued })',
    ".filter(({ status }) => status !== 'Expired').filter(({ deleted, issued })",
  ],
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the pieces end here

describe('a broken clause is noticed by its own test', () => {
  test.each(breaks)('%s: %s', async (name, find, replace) => {
    const { key, profile, fetch } = await strangerWith([find, replace]);
    const more = { mayVoidFixtures: true, noRateLimit: true, timesShownExactly: true, generatedCodePattern: '^zz-' };
    const target = { url: 'http://127.0.0.1', key, fetch, profile: { ...profile, ...more } };
    const result = await runClauses({ target, names: [name], checks: checks(), suite: 'test' });
    expect(result.clauses.map(({ verdict }) => verdict)).toEqual(['fail']);
  });
});
