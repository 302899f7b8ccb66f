import { clause } from '../core/clause.ts';
import { targetNow } from '../core/clock.ts';
import { accepted, giftCard, hasStatus, holds, same, sameAmount, told } from '../core/expect.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { leaves } from '../http/structure.ts';
import { cardWithDefaultExpiry, cardWithoutDefaultExpiry, datesOf } from '../scenarios/card-dates.ts';
import {
  balanceOf,
  type Created,
  type CreateFields,
  card,
  create,
  createWithoutCode,
  getByCode,
  getById,
} from '../scenarios/cards.ts';
import { currencyCode, profileHasCurrency } from '../scenarios/currency.ts';
import {
  fullCard,
  isFull,
  mutableCard,
  plainCreate,
  plainFields,
  repeatedCard,
  repeatedCreate,
} from '../scenarios/shared-cards.ts';

clause('gift-card.create.returns-the-card', {}, async (t) => {
  const { code, answer } = await plainCreate(t);
  const answered = giftCard(answer, 'the created card');
  const found = giftCard(await getByCode(t, code), 'the card, looked up');
  same([answered.id, answered.code], [found.id, found.code], 'id and code of the created card');
  holds(answered.id !== undefined, 'a created card with an id', told(answer));
});

clause('gift-card.create.answers-200', {}, async (t) => {
  const { code, answer } = await plainCreate(t);
  hasStatus(answer, 200, 'creating a card');
  await t.control('the card can be looked up', async () => same(giftCard(await getByCode(t, code)).code, code, 'code'));
});

const day = 86_400_000;

const giftFields = { ...plainFields, sendAsGift: true, shouldSendNotification: true };
const deferred = () => ({ ...giftFields, giftScheduledForUtc: new Date(Date.now() + 30 * day).toISOString() });

const promptGift = (t: Trial) => t.shared('gift with both names', async (shared) => (await create(shared, giftFields)).answer);
const deferredGift = (t: Trial) => t.shared('gift for later', async (shared) => (await create(shared, deferred())).answer);

clause('gift-card.create.starts-active', {}, async (t) => {
  const plain = await plainCreate(t);
  same(giftCard(plain.answer, 'the created card').status, 'Active', 'status of a created card');
  if (isFull(plain)) {
    const { status } = giftCard(await deferredGift(t), 'the created gift');
    same(status, 'Active', 'status of a created card whose gifted email is deferred');
  } else t.doesNotCheck('a card whose gifted email is deferred: the target took none with all that is on it');
  same(giftCard(await getByCode(t, plain.code)).status, 'Active', 'status of the card, looked up');
});

clause('gift-card.create.starts-with-given-balance', {}, async (t) => {
  const { code, answer, asked } = await plainCreate(t);
  const { balance = 0 } = asked;
  sameAmount(giftCard(answer, 'the created card').balance, balance, 'balance of the created card');
  sameAmount(giftCard(await getByCode(t, code)).balance, balance, 'balance of the card, looked up');
});

clause('gift-card.create.uses-account-currency', {}, async (t) => {
  const first = giftCard((await plainCreate(t)).answer, 'the created card').currency;
  const second = giftCard((await mutableCard(t)).answer, 'another created card').currency;
  holds(typeof first === 'string' && first !== '', 'a created card with a currency', String(first));
  same(second, first, 'currency of another card of the account');
  const profile = arranged(
    await t.send('GET the company profile', { method: 'GET', path: '/api/Company/Profile' }),
    'the profile',
  );
  if (currencyCode(profile.json) !== undefined) profileHasCurrency(profile.json, String(first), 'the card');
});

clause('gift-card.create.keeps-given-code', {}, async (t) => {
  const { code, answer } = await plainCreate(t);
  same(giftCard(answer, 'the created card').code, code, 'code of the created card');
  same(giftCard(await getByCode(t, code)).code, code, 'code of the card, looked up');
});

clause('gift-card.create.generates-code', {}, async (t) => {
  const codes = [await generatedCode(t), await generatedCode(t)];
  holds(codes[0] !== codes[1], 'two cards with different generated codes', codes.join(' and '));
});

clause(
  'gift-card.create.code-follows-account-format',
  { needs: ['generatedCodePattern'] },
  async (t, { generatedCodePattern }) => {
    const code = await generatedCode(t);
    holds(new RegExp(generatedCodePattern).test(code), `a generated code that matches ${generatedCodePattern}`, code);
  },
);

/** Creates without a code and looks the card up by the one that came; the ledger learns it from the answer. */
async function generatedCode(t: Trial): Promise<string> {
  const answer = await createWithoutCode(t);
  const { code } = giftCard(answer, 'a card created without a code');
  holds(typeof code === 'string' && code !== '', 'a generated code', told(answer));
  same(giftCard(await getByCode(t, String(code)), 'the card, looked up by its generated code').code, code, 'code');
  return String(code);
}

const accountsExpiry = ['defaultExpiryDays', 'secondDefaultExpiryDays'] as const;

clause('gift-card.create.default-expiry-applies', { needsOneOf: accountsExpiry }, async (t) => {
  t.doesNotCheck('how the days are counted (open)');
  const { days, on, key } = await cardWithDefaultExpiry(t);
  const { expires: shown = 0, issued = targetNow(t) } = await datesOf(t, on, key);
  // To the end of a day, and in any time zone, at the most.
  holds(Math.abs(shown - issued - days * day) < 2 * day, `an expiry after ${days} days`, told(on.answer));
});

const manYears = 100 * 365 * day;

clause('gift-card.create.no-default-expiry-never-expires', { needsOneOf: accountsExpiry }, async (t) => {
  const { on, key } = await cardWithoutDefaultExpiry(t);
  const { expires: shown } = await datesOf(t, on, key);
  const never = shown === undefined || shown - targetNow(t) > manYears;
  holds(never, 'a card without an expiry', told(on.answer));
  same(giftCard(await getByCode(t, on.code, key)).status, 'Active', 'status');
});

clause('gift-card.create.refuses-taken-code', { atOnce: true }, async (t) => {
  await t.control('the same create with a fresh code', async () => accepted((await repeatedCreate(t)).answer, 'it'));
  const taken = await repeatedCard(t);
  hasStatus((await create(t, { balance: 0.25, code: taken.code })).answer, 400, 'creating a card with a code that is taken');
  const found = giftCard(await getByCode(t, taken.code));
  same(found.id, taken.id, 'id behind the code');
  sameAmount(found.balance, 0.5, 'balance behind the code');
  const code = t.run.ledger.fresh();
  const both = await Promise.all([create(t, { balance: 0.5, code }), create(t, { balance: 0.5, code })]);
  const statuses = both.map(({ answer }) => answer.status).sort();
  same(statuses, [200, 400], 'statuses of two creates sent at once with one code');
});

clause('gift-card.create.code-free-on-other-account', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const { code } = await card(t, { balance: 1.25 });
  await t.control('the first account refuses the code now', async () => hasStatus((await create(t, { code })).answer, 400, 'it'));
  const other = await create(t, { balance: 1.5, code }, secondKey);
  same(giftCard(other.answer, 'a card with that code on another account').code, code, 'code');
  sameAmount(await balanceOf(t, code), 1.25, 'balance of the first account’s card');
});

/** The plain card, or where the target took it only with nothing on it, one with these fields. */
async function withFields(t: Trial, fields: CreateFields): Promise<Created> {
  const made = await plainCreate(t);
  const isOn = Object.keys(fields).every((name) => made.asked[name] !== undefined);
  return isOn ? made : create(t, { ...fields, balance: made.asked.balance });
}

clause('gift-card.create.takes-notes', {}, async (t) => {
  const { answer, code } = await withFields(t, { notes: plainFields.notes });
  accepted(answer, 'creating a card with notes');
  same(giftCard(await getByCode(t, code)).code, code, 'code of the card, looked up');
});

clause('gift-card.create.stores-custom-fields', {}, async (t) => {
  const { customField1, customField2, customField3 } = plainFields;
  const { answer: created, code } = await withFields(t, { customField1, customField2, customField3 });
  const given = [customField1, customField2, customField3];
  const { id } = giftCard(created, 'a card with custom fields');
  for (const answer of [created, await getByCode(t, code), await getById(t, id as string)]) {
    const { customField1, customField2, customField3 } = giftCard(answer);
    same([customField1, customField2, customField3], given, 'custom fields 1 to 3');
  }
});

async function needsName(t: Trial, name: 'recipientName' | 'buyerName'): Promise<void> {
  await t.control('the same gift with both names', async () => accepted(await promptGift(t), 'it'));
  await t.control('the same gift with both names, for later', async () => accepted(await deferredGift(t), 'it'));
  const nameless = await create(t, { ...giftFields, [name]: undefined });
  hasStatus(nameless.answer, 400, `a gift without ${name}`);
  hasStatus(await getByCode(t, nameless.code), 404, 'looking up the card of the refused create');
  hasStatus((await create(t, { ...deferred(), [name]: undefined })).answer, 400, `a gift for later without ${name}`);
}

clause('gift-card.create.gifted-needs-recipient-name', {}, (t) => needsName(t, 'recipientName'));

clause('gift-card.create.gifted-needs-buyer-name', {}, (t) => needsName(t, 'buyerName'));

clause('gift-card.create.notes-record-origin', { needs: ['keyDescription'] }, async (t, { keyDescription }) => {
  t.doesNotCheck('the words by which they tell of the API');
  const { code } = await fullCard(t);
  const texts = leaves(giftCard(await getByCode(t, code))).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const telling = texts.find((text) => text.includes(keyDescription));
  // Notes that hold more than they were given are the card's own.
  const notes = telling ?? texts.find((text) => text.includes(plainFields.notes) && text !== plainFields.notes);
  if (notes === undefined) throw new Untested('fact-missing', 'no property of a card shows more of its notes than were given');
  const before = notes.split(keyDescription, 1)[0]?.replace(plainFields.notes, '') ?? '';
  holds(telling !== undefined, 'the description of the key in the notes', JSON.stringify(notes));
  holds(/\p{L}/u.test(before), 'words about the API before the description of the key', JSON.stringify(notes));
});
