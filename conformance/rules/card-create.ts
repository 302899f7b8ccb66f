import { targetNow } from '../core/clock.ts';
import {
  describeResponse,
  expectAmount,
  expectSame,
  expectStatus,
  expectSuccess,
  expectThat,
  isRefusal,
  objectIn,
  statusesOf,
} from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import { leaves } from '../http/json-search.ts';
import { Untested } from '../safety/policy.ts';
import { takenCode } from '../scenarios/adjustments.ts';
import { cardOfAccountWith, datesOf } from '../scenarios/card-dates.ts';
import {
  type Created,
  type CreateFields,
  createCard,
  createWithoutCode,
  getByCode,
  getById,
  type TestCard,
  tryCreate,
} from '../scenarios/cards.ts';
import { controlAccepts, controlHolds, controlRejects } from '../scenarios/controls.ts';
import { businessProfile, currencyCode, profileHasCurrency } from '../scenarios/currency.ts';
import {
  farExpiry,
  fullCard,
  mutableCard,
  mutableCreate,
  plainCreate,
  plainFields,
  viewByCode,
} from '../scenarios/shared-cards.ts';

const lookUp = async (t: Trial, code: string) => objectIn(await viewByCode(t, code), 'a lookup of the card');

rule('gift-card.create.returns-the-card', {}, async (t) => {
  const { code, response } = await plainCreate(t);
  const created = objectIn(response, 'the created card');
  const found = await lookUp(t, code);
  expectSame([created.id, created.code], [found.id, found.code], 'ID and code of the created card');
  expectThat(created.id !== undefined, 'a created card with an ID', describeResponse(response));
});

rule('gift-card.create.returns-200', {}, async (t) => {
  const { code, response } = await plainCreate(t);
  expectStatus(response, 200, 'creating a card');
  const { json } = await viewByCode(t, code);
  controlHolds(t, 'the card is found', Object(json).code === code);
});

const day = 86_400_000;
const gift = { ...plainFields, sendAsGift: true, shouldSendNotification: true };
// The target's clock may be years ahead, so the date is in the far future.
const giftForLater = { ...gift, giftScheduledForUtc: farExpiry(17) };

const createdGift = (t: Trial): Promise<Created> => t.shared('gift with both names', (shared) => tryCreate(shared, gift));
const createdGiftForLater = (t: Trial): Promise<Created> =>
  t.shared('gift for later', (shared) => tryCreate(shared, giftForLater));

rule('gift-card.create.starts-active', {}, async (t) => {
  const plain = await plainCreate(t);
  expectSame(objectIn(plain.response, 'the created card').status, 'Active', 'status of a created card');
  expectSame((await lookUp(t, plain.code)).status, 'Active', 'status of the card in a lookup');
  if (t.mustLeaveOut('a gift for later')) return;
  const { response } = await createdGiftForLater(t);
  // The specification does not state how far in the future a gift can be scheduled.
  if (isRefusal(response.status)) return t.doesNotCheck('a gift for later, because the target rejects such a card');
  expectSame(objectIn(response, 'the created gift').status, 'Active', 'status of a created gift for later');
});

rule('gift-card.create.starts-with-given-balance', {}, async (t) => {
  const { code, response, fields } = await plainCreate(t);
  const { balance = 0 } = fields;
  expectAmount(objectIn(response, 'the created card').balance, balance, 'balance of the created card');
  expectAmount((await lookUp(t, code)).balance, balance, 'balance of the card in a lookup');
});

rule('gift-card.create.uses-account-currency', {}, async (t) => {
  const { currency } = objectIn((await plainCreate(t)).response, 'the created card');
  const other = objectIn((await mutableCard(t)).response, 'another created card');
  expectThat(typeof currency === 'string' && currency !== '', 'a created card with a currency', String(currency));
  expectSame(other.currency, currency, 'currency of another card of the account');
  const profile = await businessProfile(t);
  if (currencyCode(profile) !== undefined) profileHasCurrency(profile, String(currency), 'the card');
});

rule('gift-card.create.keeps-given-code', {}, async (t) => {
  const { code, response, fields } = await plainCreate(t);
  expectSame(objectIn(response, 'the created card').code, fields.code, 'code of the created card');
  expectSame((await lookUp(t, code)).code, code, 'code of the card in a lookup');
});

async function generatedCode(t: Trial): Promise<string> {
  // If the target refuses a card with a code, too, the refusal of a card without a code proves nothing.
  await mutableCard(t);
  const response = await createWithoutCode(t);
  const { code } = objectIn(response, 'a card created without a code');
  expectThat(typeof code === 'string' && code !== '', 'a generated code', describeResponse(response));
  expectSame((await lookUp(t, String(code))).code, code, 'code');
  return String(code);
}

rule('gift-card.create.generates-code', {}, async (t) => {
  const [first, second] = [await generatedCode(t), await generatedCode(t)];
  expectThat(first !== second, 'two cards with different generated codes', `${first} twice`);
});

const needs = ['generatedCodePattern'] as const;

rule('gift-card.create.code-follows-account-format', { needs }, async (t, { generatedCodePattern: pattern }) => {
  const code = await generatedCode(t);
  expectThat(new RegExp(pattern).test(code), `a generated code that matches ${pattern}`, code);
});

const accountsExpiry = ['defaultExpiryDays', 'secondDefaultExpiryDays'] as const;

rule('gift-card.create.default-expiry-applies', { needsOneOf: accountsExpiry }, async (t) => {
  t.doesNotCheck('how the days are counted (open)');
  const { days, on, key } = await cardOfAccountWith(t, 'a default expiry');
  const { expires = 0, issued = targetNow(t) } = await datesOf(t, on, key);
  // A target may move the expiry to the end of a day, in any time zone. So two days of difference are allowed.
  expectThat(Math.abs(expires - issued - days * day) < 2 * day, `an expiry after ${days} days`, shownExpiry(on, expires));
});

rule('gift-card.create.no-default-expiry-never-expires', { needsOneOf: accountsExpiry }, async (t) => {
  const { on, key } = await cardOfAccountWith(t, 'no default expiry');
  const { expires } = await datesOf(t, on, key);
  const isNever = expires === undefined || expires - targetNow(t) > 100 * 365 * day;
  expectThat(isNever, 'a card without an expiry', shownExpiry(on, expires));
  expectSame(objectIn(await getByCode(t, on.code, key)).status, 'Active', 'status');
});

const shownExpiry = ({ response }: TestCard, expires = 0): string =>
  `${expires === 0 ? 'no expiry' : new Date(expires).toISOString()}: ${describeResponse(response)}`;

rule('gift-card.create.refuses-taken-code', {}, async (t) => {
  const taken = await mutableCreate(t);
  await controlAccepts(t, 'the same create with an unused code', taken.response);
  const { response, before, found } = await takenCode(t);
  expectStatus(response, 400, 'a create with a taken code');
  expectSame(objectIn(found).id, objectIn(taken.response).id, 'ID of the card with the code');
  expectAmount(objectIn(found).balance, before, 'balance of the card with the code');
  if (t.mustLeaveOut('two parallel creates')) return;
  const code = t.run.ledger.fresh();
  const both = await Promise.all([tryCreate(t, { code }), tryCreate(t, { code })]);
  expectSame(statusesOf(both.map(({ response }) => response)), [200, 400], 'statuses of two parallel creates with one code');
});

rule('gift-card.create.code-free-on-other-account', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const { code, id } = await createCard(t, { balance: 1.25 });
  await controlRejects(t, 'the code on the first account', (await tryCreate(t, { code })).response);
  await createCard(t, { balance: 1.5 }, secondKey);
  const other = await tryCreate(t, { balance: 1.5, code }, secondKey);
  expectSame(objectIn(other.response, 'a card with that code on another account').code, code, 'code');
  expectAmount(objectIn(await getById(t, id)).balance, 1.25, "balance of the first account's card");
});

async function createdWith(t: Trial, fields: CreateFields): Promise<Created> {
  const made = await plainCreate(t);
  const hasFields = Object.keys(fields).every((name) => made.fields[name] !== undefined);
  return hasFields ? made : tryCreate(t, { ...fields, balance: made.fields.balance });
}

rule('gift-card.create.takes-notes', {}, async (t) => {
  const { response, code } = await createdWith(t, { notes: plainFields.notes });
  expectSuccess(response, 'creating a card with notes');
  expectSame((await lookUp(t, code)).code, code, 'code of the card in a lookup');
});

rule('gift-card.create.stores-custom-fields', {}, async (t) => {
  const { customField1, customField2, customField3 } = plainFields;
  const given = { customField1, customField2, customField3 };
  const { response, code } = await createdWith(t, given);
  const { id } = objectIn(response, 'a card with custom fields');
  for (const each of [response, await viewByCode(t, code), await getById(t, id as string)])
    for (const [name, value] of Object.entries(given)) expectSame(objectIn(each)[name], value, name);
});

for (const [ruleName, field] of [
  ['gift-card.create.gifted-needs-recipient-name', 'recipientName'],
  ['gift-card.create.gifted-needs-buyer-name', 'buyerName'],
] as const)
  rule(ruleName, {}, async (t) => {
    await controlAccepts(t, 'the same gift with both names', (await createdGift(t)).response);
    await controlAccepts(t, 'the same gift with both names, for later', (await createdGiftForLater(t)).response);
    expectStatus((await tryCreate(t, { ...gift, [field]: undefined })).response, 400, `a gift without ${field}`);
    expectStatus(
      (await tryCreate(t, { ...giftForLater, [field]: undefined })).response,
      400,
      `a gift for later without ${field}`,
    );
  });

rule('gift-card.create.notes-record-origin', { needs: ['keyDescription'] }, async (t, { keyDescription }) => {
  t.doesNotCheck('which words the notes use for the API');
  const { code } = await fullCard(t);
  const texts = leaves(await lookUp(t, code)).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const described = texts.find((text) => text.includes(keyDescription));
  // The specification does not name the property that shows the notes. A text that contains the given notes and more text must be the notes.
  const shown = described ?? texts.find((text) => text.includes(plainFields.notes) && text !== plainFields.notes);
  if (shown === undefined) throw new Untested('fact-missing', 'no property of the card shows the given notes with more text');
  const before = shown.split(keyDescription, 1)[0]?.replace(plainFields.notes, '') ?? '';
  expectThat(described !== undefined, 'the description of the key in the notes', JSON.stringify(shown));
  expectThat(/\p{L}/u.test(before), 'words about the API before the description of the key', JSON.stringify(shown));
});
