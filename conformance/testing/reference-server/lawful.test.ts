import { expect, test } from 'vitest';
import type { Profile } from '../../core/target.ts';
import { faultsOf } from './faults.ts';
import { type Piece, strangerWith } from './pieces.ts';

/** A lawful server that is the stranger but for some pieces. */
interface Lawful {
  readonly pieces: readonly Piece[];
  /** Names of the checks that this concerns. */
  readonly concerned: RegExp;
  readonly profile?: Profile;
  /** What may go without a verdict. */
  readonly untested?: RegExp;
}

const company = (instead: string): Lawful => ({
  pieces: [["business: 'Stranger', money: { iso: on.currency }", instead]],
  concerned: /^(company\.|gift-card\.create\.uses-account-currency|http\.camel-case-names)/,
});

const refusing = (when: string, status = 400): Piece => [
  'if (Number.isNaN(cents(body.balance)))',
  `if (${when}) throw refuse('not here', ${status});\n    if (Number.isNaN(cents(body.balance)))`,
];
const noGuid = (value: string) =>
  `(${value} !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(${value})))`;
const cards = /^(gift-card\.create\.|gift-card\.get|adjustment\.|idempotency\.|errors\.|automation\.)/;

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are pieces of source text
const kinds: Record<string, Lawful> = {
  'has a plan that is called current': company("currentPlan: 'Pro', business: 'Stranger', money: { iso: on.currency }"),
  'shows how amounts are written': company("business: 'S', currencyFormat: 'kr {{amount}}', money: { iso: on.currency }"),
  'tells a name of its currency first': company(
    "business: 'S', currency: { name: 'Norske kroner', code: on.currency, decimals: 2 }",
  ),
  'tells code and name in one': company("business: 'S', currency: 'NOK - Norwegian krone'"),
  'tells a symbol first': company("business: 'S', currencySymbol: 'kr', currencyCode: on.currency"),
  'has rates of two currencies': company("business: 'S', rates: { NOK: 1, EUR: 11.5 }, money: { iso: on.currency }"),
  'has rates only': company("business: 'S', rates: { NOK: 1, EUR: 11.5 }"),
  'tells its time zone in minutes': {
    ...company("business: 'S', utcOffsetMinutes: 60, money: { iso: on.currency }"),
    pieces: [["zone: 'Europe/Oslo'", 'utcOffsetMinutes: 60']],
  },
  'writes its currency in small letters': {
    pieces: [["currency: 'NOK'", "currency: 'nok'"]],
    concerned: /^(company\.|gift-card\.)/,
  },
  'writes its currency as a symbol': { pieces: [["currency: 'NOK'", "currency: 'kr'"]], concerned: /^(company\.|gift-card\.)/ },
  'numbers its types': {
    pieces: [
      ["kind: cents < 0 ? 'OUT' : 'IN',", 'kind: 2,'],
      ['Math.abs(cents) / 100', 'cents / 100'],
      ["kind: 'ISSUE'", 'kind: 1'],
    ],
    concerned: /^adjustment\.history\./,
  },
  'tells where notes come from': {
    pieces: [['memo: body.notes ?? null,', 'memo: body.notes ? `API: ${body.notes}` : null,']],
    concerned: /^adjustment\./,
  },
  'counts outcomes by their names': {
    pieces: [
      [
        'return { made_now: made, by_rule: outcome };',
        'return { made_now: made, by_rule: outcome, counts: { Created: made.length } };',
      ],
    ],
    concerned: /^(automation\.|idempotency\.automation\.)/,
  },
  'takes whole units only, of a currency without decimals': {
    pieces: [
      ["currency: 'NOK'", "currency: 'JPY'"],
      [
        'const cents = (amount: unknown) => Math.round(Number(amount) * 100);',
        "const cents = (amount: unknown) => { if (!Number.isInteger(Number(amount ?? Number.NaN)) && !Number.isNaN(Number(amount ?? Number.NaN))) throw refuse('whole yen'); return Math.round(Number(amount) * 100); };",
      ],
    ],
    concerned: /./,
    untested: /^(list\.update-ties|coupon\..*)$/,
  },
  'rounds to whole units, of a currency without decimals': {
    pieces: [
      ["currency: 'NOK'", "currency: 'JPY'"],
      ['Math.round(Number(amount) * 100);', 'Math.round(Number(amount)) * 100;'],
    ],
    concerned: cards,
  },
  'has a currency of three decimals': {
    pieces: [
      ["currency: 'NOK'", "currency: 'KWD'"],
      ['Math.round(Number(amount) * 100);', 'Math.round(Number(amount) * 1000) / 10;'],
    ],
    concerned: cards,
  },
  'takes no card that lives longer than to 2079': {
    pieces: [refusing('Date.parse(String(body.expiresAtUtc)) > Date.UTC(2079, 5, 6)', 422)],
    concerned: /^(gift-card\.create\.|delivery\.payload\.expiry|idempotency\.create\.)/,
  },
  'knows no recipient at example.com, where the profile tells another domain': {
    pieces: [refusing('/@example\\.com$/.test(String(body.recipientEmailAddress ?? body.buyerEmailAddress ?? ""))', 422)],
    concerned: /^(gift-card\.|delivery\.payload\.|automation\.)/,
    profile: { recipientDomain: 'people.test' },
  },
  'takes no adjustment from before the card': {
    pieces: [
      [
        "if (typeof body.adjustmentAmount !== 'number')",
        "if (Date.parse(String(body.actionedAtUtc)) < (card as any).born) throw refuse('before the card');\n    if (typeof body.adjustmentAmount !== 'number')",
      ],
      ['on.cards.push(card);', '(card as any).born = Date.now() + on.service.ahead;\n    on.cards.push(card);'],
    ],
    concerned: /^(adjustment\.|gift-card\.void|idempotency\.adjustment|list\.)/,
    untested: /^(list\.update-ties|adjustment\.history\.order|adjustment\.unreadable-actioned-at)$/,
  },
  'tells when a card was created in its own time zone': {
    pieces: [
      [
        "CreatedAt: new Date(card.issued).toISOString().replace('.000Z', ''),",
        "CreatedAt: new Date(card.issued + 3_600_000).toISOString().replace('.000Z', ''),",
      ],
    ],
    concerned: /^(delivery\.payload\.|list\.since)/,
  },
  'takes no adjustment of less than a tenth': {
    pieces: [
      [
        "if (typeof body.adjustmentAmount !== 'number')",
        "if (Math.abs(Number(body.adjustmentAmount)) < 0.1) throw refuse('too little', 422);\n    if (typeof body.adjustmentAmount !== 'number')",
      ],
    ],
    concerned: /^(adjustment\.|gift-card\.|list\.)/,
    untested: /^(list\.update-ties|adjustment\.zero-amount)$/,
  },
  ...Object.fromEntries(
    ['code', 'id'].map((name) => [
      `lists of the cards of an event nothing but each ${name}`,
      {
        pieces: [['made.push({ card_ref: card.id, worth: card.cents });', `made.push(card.${name});`]],
        concerned: /^(automation\.|idempotency\.automation\.|delivery\.payload\.a)/,
        untested: /^automation\.issued-card-case$/,
      } satisfies Lawful,
    ]),
  ),
  'takes nothing but GUIDs to tell repeats by': {
    pieces: [
      refusing(noGuid('body.uniqueId')),
      [
        "if (typeof body.adjustmentAmount !== 'number')",
        `if (${noGuid('body.uniqueAdjustmentId')}) throw refuse('no GUID');\n    if (typeof body.adjustmentAmount !== 'number')`,
      ],
    ],
    concerned: /^(gift-card\.create\.|adjustment\.|idempotency\.)/,
  },
  'takes five webhooks at most': {
    pieces: [
      [
        "if (!body.url) throw refuse('where to?', 422);",
        "if (!body.url) throw refuse('where to?', 422);\n    if (listening(on).length >= 5) throw refuse('no more than five');",
      ],
    ],
    concerned: /^(webhook\.|delivery\.)/,
    untested: /^(delivery\.|webhook\.(disabled|failures|list\.enabled|create.*again-|delete\.(removes|disabled)))/,
  },
  'tells times as headers do': {
    pieces: [
      [
        "happened: String(body.actionedAtUtc).replace('.000Z', '+00:00'),",
        'happened: new Date(String(body.actionedAtUtc)).toUTCString(),',
      ],
    ],
    concerned: /^adjustment\./,
  },
};
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the pieces end here

test.each(Object.keys(kinds))(
  'no fault is found with a service that %s',
  async (kind) => {
    const { pieces, concerned, profile, untested = /^$/ } = kinds[kind] as Lawful;
    const { key, fetch, ...own } = await strangerWith(...pieces);
    const { faults } = await faultsOf(
      {
        url: 'http://127.0.0.1',
        key,
        fetch,
        profile: { ...own.profile, generatedCodePattern: '^zz-', noRateLimit: true, ...profile },
      },
      ({ burst, inputs, name }) => !burst && !inputs && (concerned.test(name) || name === 'authentication.missing-key-is-401'),
      untested,
    );
    expect(faults).toEqual([]);
  },
  60_000,
);
