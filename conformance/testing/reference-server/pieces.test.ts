import { expect, test } from 'vitest';
import { strangerWith } from './pieces.ts';

const asked = () => new Request('http://127.0.0.1/api/Company/Profile', { headers: { 'x-api-key': 'one' } });

test('a piece stands for the text that it names, in whichever file that is', async () => {
  const { fetch } = await strangerWith(["currency: 'NOK'", "currency: 'SEK'"], ["business: 'Stranger'", "business: '$&'"]);
  expect(await (await fetch(asked())).json()).toMatchObject({ business: '$&', money: { iso: 'SEK' } });
});

test.each([
  ['nowhere', 'no such text', 'nowhere'],
  ['in two files', 'on.used.has(', 'in service/adjusting.ts, service/cards.ts'],
  ['twice in one', 'cents(fields.balance)', 'in service/cards.ts, service/cards.ts'],
  ['where other pieces have put it', 'SEK', 'in service/routes.ts, service/state.ts'],
])('a text that stands %s is no piece', async (_, find, where) => {
  const change = strangerWith(["currency: 'NOK'", "currency: 'SEK'"], ["business: 'Stranger'", "business: 'SEK'"], [find, '']);
  await expect(change).rejects.toThrow(`"${find}" must stand once in the stranger; it stands ${where}.`);
});
