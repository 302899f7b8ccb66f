import { booked, byCode, ways } from '../arrange/adjustments.ts';
import { balanceOf, type Card, card, getByCode, getById, voidByCode, voidById } from '../arrange/cards.ts';
import { clause } from '../clause.ts';
import { accepted, giftCard, hasStatus, same, sameAmount } from '../expect.ts';
import { unknownIdLike } from '../structure.ts';
import { arranged, type Trial } from '../trial.ts';

/** Two cards that were voided, one each way, made once and looked at by several clauses. */
function voidedCards(t: Trial): Promise<Card[]> {
  return t.shared('voided cards', async (shared) => {
    const cards = [await card(shared, { balance: 1.5 }), await card(shared, { balance: 1.5 })] as const;
    arranged(await voidByCode(shared, cards[0].code), 'voiding by code');
    arranged(await voidById(shared, cards[1].id), 'voiding by ID');
    return [...cards];
  });
}

clause('gift-card.void.by-code-voids', [], async (t) => {
  const on = await card(t);
  const other = await card(t);
  accepted(await voidByCode(t, on.code), 'voiding by code');
  same(giftCard(await getByCode(t, on.code)).status, 'Voided', 'status');
  same(giftCard(await getByCode(t, other.code)).status, 'Active', 'status of another card');
});

clause('gift-card.void.by-id-voids', [], async (t) => {
  const on = await card(t);
  const other = await card(t);
  accepted(await voidById(t, on.id), 'voiding by ID');
  same(giftCard(await getByCode(t, on.code)).status, 'Voided', 'status');
  same(giftCard(await getByCode(t, other.code)).status, 'Active', 'status of another card');
});

clause('gift-card.void.zeroes-balance', [], async (t) => {
  for (const { code } of await voidedCards(t)) sameAmount(await balanceOf(t, code), 0, 'balance of the voided card');
});

clause('gift-card.void.any-state', [], async (t) => {
  for (const amount of [-1, -1.5, 0.5]) {
    const on = await card(t);
    await booked(t, on, amount);
    accepted(await voidByCode(t, on.code), `voiding a card whose balance is ${(1 + amount).toFixed(2)}`);
    const found = giftCard(await getByCode(t, on.code));
    same(found.status, 'Voided', 'status');
    sameAmount(found.balance, 0, 'balance');
  }
});

clause('gift-card.void.is-final', [], async (t) => {
  t.notJudged = 'what adjusting a voided card answers (open)';
  const active = await card(t);
  await t.control('topping a card up that is not voided', async () => accepted(await byCode(t, active, 0.5), 'it'));
  for (const on of await voidedCards(t)) {
    for (const adjust of await ways(t)) await adjust(t, on, 0.5);
    same(giftCard(await getByCode(t, on.code)).status, 'Voided', 'status after attempts to top up');
  }
});

clause('gift-card.void.still-found', [], async (t) => {
  for (const { code, id } of await voidedCards(t)) {
    same(giftCard(await getByCode(t, code), 'a voided card, looked up by code').id, id, 'id');
    same(giftCard(await getById(t, id), 'a voided card, looked up by ID').code, code, 'code');
  }
});

clause('gift-card.void.unknown-code-is-404', [], async (t) => {
  const on = await card(t);
  hasStatus(await voidByCode(t, t.run.ledger.fresh('GCSNONE')), 404, 'voiding a code that no card has');
  await t.control('voiding a code that a card has', async () => accepted(await voidByCode(t, on.code), 'it'));
});

clause('gift-card.void.unknown-id-is-404', [], async (t) => {
  const on = await card(t);
  hasStatus(await voidById(t, unknownIdLike(on.id)), 404, 'voiding an ID that no card has');
  await t.control('voiding an ID that a card has', async () => accepted(await voidById(t, on.id), 'it'));
});
