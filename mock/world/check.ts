import { UNPRINTABLE } from '../domain/gift-cards.ts';
import { mayBePlain } from '../domain/webhooks.ts';
import { amountsOf, inexactAmount } from './card-history.ts';
import type { FilledAccount, FilledCard, World } from './description.ts';
import type * as filled from './generated/filled.ts';
import type { Problem } from './problem.ts';

/** Finds problems that the schema cannot find: contradictions, repeated unique values, and references to missing records. */
export function worldProblems({ accounts }: World): Problem[] {
  const ofAccounts = accounts.flatMap((account, index) =>
    accountProblems(account).map(({ path, sentence }) => ({ path: ['accounts', index, ...path], sentence })),
  );
  return [...repeats({ accounts }, /^accounts\.(id|keys\.key)$/), ...ofAccounts];
}

const UNIQUE_LISTED = /^((channels|webhooks)\.id|automations\.(id|name)|coupons\.(id|code))$/;
const UNIQUE_OF_CARDS = /^cards\.(id|code|uniqueId|adjustments\.uniqueAdjustmentId|inChannels\..+\.sourceId)$/;

export function accountProblems(account: filled.Account): Problem[] {
  const { automations, cards, coupons, currency } = account;
  return [
    ...repeats(account, UNIQUE_LISTED),
    ...repeats(account, UNIQUE_OF_CARDS),
    ...problemsIn('automations', automations, ({ amount }) => inexactAmount([amount], currency)),
    ...problemsIn('coupons', coupons, bothGiven),
    ...problemsIn('coupons', coupons, ({ discountType, discountValue }) =>
      discountType === 'FixedAmount' ? inexactAmount([discountValue], currency) : [],
    ),
    ...problemsIn('cards', cards, (card) => {
      const amounts = amountsOf(card, currency);
      const ofAmounts = typeof amounts === 'string' ? [amounts] : [];
      const ofTimes = [card, ...card.adjustments].flatMap(bothGiven);
      return [...ofTimes, ...contradictions(card), ...missingReferences(card, account), ...ofAmounts];
    }),
  ];
}

function problemsIn<T>(list: string, elements: readonly T[], sentencesOf: (element: T) => readonly string[]): Problem[] {
  return elements.flatMap((element, index) => sentencesOf(element).map((sentence) => ({ path: [list, index], sentence })));
}

/**
 * Finds repeated values of unique properties. `unique` matches the property names in the path of a value, such as `cards.code`. IDs and codes are
 * compared without letter case. Messages do not show keys, because keys are secret.
 */
function repeats(description: unknown, unique: RegExp): Problem[] {
  const known = new Set<string>();
  return textsIn(description).flatMap(({ path, text }) => {
    const names = path.filter((step) => typeof step === 'string');
    const property = names.at(-1) ?? '';
    if (!unique.test(names.join('.'))) return [];
    const identity = [...names, property === 'id' || property === 'code' ? text.toLowerCase() : text].join('\n');
    const isRepeated = known.has(identity);
    known.add(identity);
    const shown = property === 'key' ? '' : ` "${text}"`;
    return isRepeated ? [{ path, sentence: `${property}${shown} is used twice; make each ${property} unique.` }] : [];
  });
}

/** Returns every text in a value, with its path. */
function textsIn(value: unknown, path: Problem['path'] = []): { readonly path: Problem['path']; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  const steps = Array.isArray(value) ? value.map((each, index) => [index, each] as const) : Object.entries(value);
  return steps.flatMap(([step, each]) => textsIn(each, [...path, step]));
}

/** Finds dates that are given twice: `expiresAtUtc` and `expiresInDays`, `createdAtUtc` and `createdDaysAgo`. */
function bothGiven(record: object): string[] {
  const given = Object.keys(record);
  return given.flatMap((absolute) => {
    const [, event] = /^(\w+)(?:At|For)Utc$/.exec(absolute) ?? [];
    const relative = given.find((name) => name === `${event}InDays` || name === `${event}DaysAgo`);
    return relative === undefined ? [] : [`${absolute} and ${relative} exclude each other; leave one out.`];
  });
}

/** Finds contradictions in a card. Does not check dates such as expiresAtUtc: the event of a past date counts as already happened. */
function contradictions(card: FilledCard): string[] {
  const { status, code, expiresInDays, giftScheduledInDays } = card;
  const sentences: string[] = [];
  if (status === 'Expired' && (expiresInDays ?? -1) > 0)
    sentences.push('status Expired needs an expiry in the past; leave status out, or correct the expiry.');
  if (status !== undefined && status !== 'Expired' && status !== 'Voided' && (expiresInDays ?? 1) <= 0)
    sentences.push(`status ${status} contradicts expiresInDays ${expiresInDays}; leave status out, or give a later expiry.`);
  if (status === 'Scheduled' && (giftScheduledInDays ?? 1) <= 0)
    sentences.push('status Scheduled needs giftScheduledInDays above 0. The default is 7.');
  if (card.sendAsGift && !(card.recipientName?.trim() && card.buyerName?.trim()))
    sentences.push('sendAsGift true needs recipientName and buyerName.');
  if (code !== undefined && UNPRINTABLE.test(code))
    sentences.push(`code must have visible characters only, got ${JSON.stringify(code)}.`);
  return sentences;
}

function missingReferences({ inChannels, automation }: FilledCard, account: filled.Account): string[] {
  const channels = account.channels.map(({ id }) => id);
  const automations = account.automations.map(({ name }) => name);
  const missing = (what: string, name: string, names: readonly string[]) => {
    if (names.includes(name)) return [];
    return [`${what} "${name}" is not in the account, which has ${names.join(', ') || 'none'}.`];
  };
  return [
    ...Object.keys(inChannels).flatMap((id) => missing('channel', id, channels)),
    ...(automation === null ? [] : missing('automation', automation, automations)),
  ];
}

/** Returns a sentence for each webhook with an http URL whose host requires https (webhook.create.other-schemes). */
export function plainWebhooks({ webhooks }: FilledAccount, plainHttpHosts: readonly string[]): string[] {
  return webhooks.flatMap(({ url }) => {
    const { protocol = '', hostname = '' } = URL.canParse(url) ? new URL(url) : {};
    if (protocol !== 'http:' || mayBePlain(hostname, plainHttpHosts)) return [];
    return [
      `The webhook URL must be https, got ${url}. http is accepted only for this machine and for allowed hosts. To allow the host, use --allow-http-webhooks ${hostname}, or allowHttpWebhooks in code.`,
    ];
  });
}
