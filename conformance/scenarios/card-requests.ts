import { setTimeout as pause } from 'node:timers/promises';
import { arranged, type Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { mentions } from '../http/structure.ts';
import type { Card } from './cards.ts';

/** Looking a card up, and voiding it. */

/**
 * A search by email, repeated until it finds the card or ten seconds are over: a card is found once it was sent to its recipient.
 * Such a card has its emails on; nobody reads example.com.
 */
export async function byEmail(t: Trial, emailAddress: string, wanted?: Card, key?: string): Promise<Answer> {
  const ask = {
    method: 'GET' as const,
    path: '/api/GiftCard/GetByEmail',
    query: { emailAddress },
    ...(key === undefined ? {} : { key }),
  };
  let answer = await t.send('GET cards by the recipient’s address', ask);
  const mayCome = () => [200, 404].includes(answer.status);
  for (let again = 0; again < 16 && wanted && mayCome() && !holdsCard(answer.json, wanted); again += 1) {
    await pause(again < 8 ? 250 : 1_000);
    answer = await t.send('GET cards by the recipient’s address', ask);
  }
  return answer;
}

export const holdsCard = (json: unknown, { code, id }: Pick<Card, 'code' | 'id'>) => mentions(json, code) || mentions(json, id);

export async function getByCode(t: Trial, code: string, key?: string): Promise<Answer> {
  const answer = await t.send(`GET ${code} by code`, {
    method: 'GET',
    path: `/api/GiftCard/GetByCode/${encodeURIComponent(code)}`,
    ...(key === undefined ? {} : { key }),
  });
  t.run.ledger.seen(code, key, answer);
  return answer;
}

export function getById(t: Trial, id: string | number, key?: string): Promise<Answer> {
  return t.send('GET a card by id', {
    method: 'GET',
    path: `/api/GiftCard/GetById/${encodeURIComponent(id)}`,
    ...(key === undefined ? {} : { key }),
  });
}

/** The card's balance as looking it up shows it. Blocked when that does not work. */
export async function balanceOf(t: Trial, code: string): Promise<number> {
  const answer = arranged(await getByCode(t, code), 'looking the card up');
  const balance = (answer.json as { balance?: unknown } | undefined)?.balance;
  if (typeof balance !== 'number') throw new Blocked('looking the card up: the answer carries no balance');
  return balance;
}

export async function voidByCode(t: Trial, code: string, key?: string): Promise<Answer> {
  const answer = await t.send(`void ${code} by code`, {
    method: 'DELETE',
    path: `/api/GiftCard/VoidByCode/${encodeURIComponent(code)}`,
    ...(key === undefined ? {} : { key }),
  });
  if (answer.status === 200 && key === undefined) t.run.ledger.voided(code);
  return answer;
}

export async function voidById(t: Trial, id: string | number, key?: string): Promise<Answer> {
  return t.send('void a card by id', {
    method: 'DELETE',
    path: `/api/GiftCard/VoidById/${encodeURIComponent(id)}`,
    ...(key === undefined ? {} : { key }),
  });
}
