import { UNPRINTABLE } from '../domain/gift-cards.ts';
import { mayBePlain } from '../domain/webhooks.ts';
import { amountsOf, inexactAmount } from './card-history.ts';
import type { Account, Card, World } from './description.ts';
import type * as filled from './generated/filled.ts';
import type { Problem } from './problem.ts';

/** Finds problems that the schema cannot find: contradictions, repeated unique values, and references to missing records. */
export function worldProblems({ accounts }: World): Problem[] {
  const values = accounts.flatMap(({ id, keys }, index) => [
    { value: id, path: ['accounts', index, 'id'], scope: 'accounts' },
    ...keys.map(({ key }, position) => ({ value: key, path: ['accounts', index, 'keys', position, 'key'], scope: 'keys' })),
  ]);
  const ofAccounts = accounts.flatMap((account, index) =>
    accountProblems(account).map(({ path, sentence }) => ({ path: ['accounts', index, ...path], sentence })),
  );
  return [...repeats(values), ...ofAccounts];
}

export function accountProblems(account: filled.Account): Problem[] {
  const { automations, cards, coupons, currency } = account;
  return [
    ...repeats(uniqueValuesOf(account)),
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

/** A value that must be unique in its scope. */
interface UniqueValue extends Pick<Problem, 'path'> {
  readonly value: string | null | undefined;
  readonly scope: string;
}

const UNIQUE = {
  channels: ['id'],
  automations: ['id', 'name'],
  cards: ['id', 'code', 'uniqueId'],
  webhooks: ['id'],
  coupons: ['id', 'code'],
} as const;

function uniqueValuesOf(account: filled.Account): UniqueValue[] {
  const ofLists = Object.entries(UNIQUE).flatMap(([list, properties]) =>
    account[list as keyof typeof UNIQUE].flatMap((element: Readonly<Record<string, unknown>>, index: number) =>
      properties.map((property) => {
        const value = element[property] as UniqueValue['value'];
        return { value, path: [list, index, property], scope: `${list} ${property}` };
      }),
    ),
  );
  const ofCards = account.cards.flatMap(({ adjustments, inChannels }, index) => [
    ...adjustments.map(({ uniqueAdjustmentId: value }, position) => {
      return { value, path: ['cards', index, 'adjustments', position, 'uniqueAdjustmentId'], scope: 'adjustments' };
    }),
    ...Object.entries(inChannels).map(([channel, { sourceId: value }]) => {
      return { value, path: ['cards', index, 'inChannels', channel, 'sourceId'], scope: `channel ${channel}` };
    }),
  ]);
  return [...ofLists, ...ofCards];
}

/** Compares IDs and codes without letter case. Keys are secret, so messages do not show them. */
function repeats(values: readonly UniqueValue[]): Problem[] {
  const known = new Set<string>();
  return values.flatMap(({ value, path, scope }) => {
    const property = String(path.at(-1));
    const isCaseless = property === 'id' || property === 'code';
    const identity = `${scope}\n${isCaseless ? value?.toLowerCase() : value}`;
    const isRepeated = known.has(identity) && value !== null && value !== undefined;
    known.add(identity);
    const shown = property === 'key' ? '' : ` "${value}"`;
    return isRepeated ? [{ path, sentence: `${property}${shown} is used twice; make each unique.` }] : [];
  });
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

/** A date that has passed does not contradict the status: the event of that date has happened. */
function contradictions(card: Card): string[] {
  const { status, code, expiresInDays, giftScheduledInDays } = card;
  const sentences: string[] = [];
  if (status === 'Expired' && (card.expiresAtUtc === null || (expiresInDays ?? -1) > 0))
    sentences.push('status Expired contradicts an expiry in the future or none; leave one of the two out.');
  if (status !== undefined && status !== 'Expired' && status !== 'Voided' && (expiresInDays ?? 1) <= 0)
    sentences.push(`status ${status} contradicts expiresInDays ${expiresInDays}; leave status out, or let it expire later.`);
  if (status === 'Scheduled' && (card.giftScheduledForUtc === null || (giftScheduledInDays ?? 1) <= 0))
    sentences.push('status Scheduled needs giftScheduledInDays above 0; leave it out for 7.');
  if (card.sendAsGift && !(card.recipientName?.trim() && card.buyerName?.trim()))
    sentences.push('sendAsGift true needs recipientName and buyerName.');
  if (code !== undefined && UNPRINTABLE.test(code))
    sentences.push(`code must have visible characters only, got ${JSON.stringify(code)}.`);
  return sentences;
}

function missingReferences({ inChannels, automation }: Card, account: filled.Account): string[] {
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

/** Returns a sentence for each webhook whose URL must be https (webhook.create.other-schemes). */
export function plainWebhooks({ webhooks }: Account, plainHttpHosts: readonly string[]): string[] {
  return webhooks.flatMap(({ url }) => {
    const { protocol = '', hostname = '' } = URL.canParse(url) ? new URL(url) : {};
    if (protocol !== 'http:' || mayBePlain(hostname, plainHttpHosts)) return [];
    return [
      `The webhook URL must be https, got ${url}. http is accepted for this machine, and for the hosts of --allow-http-webhooks (allowHttpWebhooks), such as ${hostname}.`,
    ];
  });
}
