import { setTimeout as pause } from 'node:timers/promises';
import type { Actor, Chance } from '../crash/mock/actor.ts';
import type { MockClient, MockResponse } from '../crash/mock/client.ts';
import { ACCOUNT, KEY } from '../crash/mock/expected-card.ts';
import { SpreadClient } from '../replicas/harness/replicas.ts';
import { type Operation, unexplained } from './linearizable.ts';

interface Recorded {
  readonly began: number;
  readonly ended: number;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly key: string | undefined;
  readonly response: MockResponse | undefined;
}

/** Milliseconds between two requests of one sequence. Without it, the sandbox would drop its oldest deliveries before they are checked. */
const PACE = 50;

/** A client that remembers when each request began and ended. */
export class RecordingClient extends SpreadClient {
  readonly history: Recorded[] = [];

  override async sendRequest(method: string, path: string, body?: unknown, key?: string): Promise<MockResponse | undefined> {
    const began = performance.now();
    const response = await super.sendRequest(method, path, body, key);
    const ended = response ? performance.now() : Number.POSITIVE_INFINITY;
    this.history.push({ began, ended, method, path, body, key, response });
    await pause(PACE);
    return response;
  }

  /** The longest time without a response other than 503, in milliseconds, between two times. */
  longestGap(from: number, to: number): number {
    const ends = this.history.map(({ ended }) => ended).filter((ended) => ended >= from && ended <= to);
    const times = [from, ...ends, to].toSorted((one, other) => one - other);
    return Math.max(...times.slice(1).map((time, index) => time - (times[index] as number)));
  }
}

/** Reads cards that others change, from the service and from the control API. */
export class CardReaders implements Actor {
  readonly runners: Actor['runners'];
  readonly #chance: Chance;

  constructor(chance: Chance, readers: number) {
    this.#chance = chance;
    this.runners = Array.from({ length: readers }, () => (mock) => this.#run(mock));
  }

  async begin(): Promise<void> {}

  async check(): Promise<string[]> {
    return [];
  }

  async #run(client: MockClient): Promise<void> {
    while (!client.isKilled) {
      const { history } = client as RecordingClient;
      const created = history
        .slice(-500)
        .filter(isCreate)
        .map(({ body }) => (body as { code: string }).code);
      const code = this.#chance.pick(created);
      if (code === undefined) await pause(20);
      else if (this.#chance.is(50)) await client.sendRequest('GET', `/api/GiftCard/GetByCode/${code}`, undefined, KEY);
      else await client.sendRequest('GET', `/__mock/accounts/${ACCOUNT}/cards/${code}`);
    }
  }
}

const CREATE = '/api/GiftCard/Create';
const OF_CARD = new RegExp(
  `^(?:/api/GiftCard/(?:Get|Void)ByCode|/__mock/accounts/${ACCOUNT}/cards)/([\\w-]+)(/payments|/refunds)?$`,
);

const CARDS = `/__mock/accounts/${ACCOUNT}/cards/`;
/** Cards of other accounts have other actors. */
const isCreate = ({ path, key }: Pick<Recorded, 'path' | 'key'>): boolean => path === CREATE && key === KEY;

interface Card {
  readonly balance: number;
  readonly isVoided: boolean;
}

/** Returns the cards whose responses no order of their requests explains. */
export function unexplainedCards(history: readonly Recorded[]): string[] {
  const codes = new Map<string, string>();
  for (const recorded of history) {
    const { body, response } = recorded;
    if (isCreate(recorded) && response?.status === 200) codes.set(response.body.id, (body as { code: string }).code);
  }
  const byCode = new Map<string, Operation<Card | null>[]>();
  for (const recorded of history) {
    const operation = operationOf(recorded, codes);
    if (!operation) continue;
    const [code, apply] = operation;
    const { began, ended, method, path, response } = recorded;
    const text = `${method} ${path} ${Math.round(began)}–${Math.round(ended)} ${response?.status} ${JSON.stringify(recorded.body ?? response?.body)}`;
    byCode.set(code, [...(byCode.get(code) ?? []), { began, ended, text, apply }]);
  }
  return [...byCode].flatMap(([code, operations]) => {
    const open = unexplained(operations, null);
    return open ? [`${code}: nothing explains these responses:\n${open.join('\n')}`] : [];
  });
}

type Apply = Operation<Card | null>['apply'];

/** Returns the code of the card that a request is about, and what its response says. Undefined for other requests. */
function operationOf(recorded: Recorded, codes: ReadonlyMap<string, string>): readonly [string, Apply] | undefined {
  const { method, path, key, response } = recorded;
  if (key !== KEY && !path.startsWith(CARDS)) return undefined;
  const body = recorded.body as {
    code: string;
    balance: number;
    giftCardCode?: string;
    giftCardId: string;
    amount: number;
    adjustmentAmount: number;
  };
  if (isCreate(recorded))
    return [body.code, (card) => (card ? unless(response?.status === 200, card) : created(body.balance, response))];
  if (path.includes('/AddAdjustment')) {
    const code = body.giftCardCode ?? codes.get(body.giftCardId);
    return code === undefined ? undefined : [code, adjusted(body.adjustmentAmount, response)];
  }
  const [, code, order] = OF_CARD.exec(path) ?? [];
  if (code === undefined) return undefined;
  if (order) return [code, adjusted(order === '/payments' ? -body.amount : body.amount, response)];
  if (method === 'DELETE')
    return [
      code,
      (card) => (card && response?.status !== 404 ? { balance: 0, isVoided: true } : unless(response?.status === 200, card)),
    ];
  const found = response?.status === 200 ? (response.body.giftCard ?? response.body) : undefined;
  return [code, (card) => (isShown(card, found) ? card : undefined)];
}

const unless = (isImpossible: boolean, card: Card | null) => (isImpossible ? undefined : card);

const created = (balance: number, response: MockResponse | undefined) =>
  response === undefined || response.status === 200 ? { balance, isVoided: false } : undefined;

/** A refusal changes nothing. It may have many reasons, so it says nothing about the card. */
const adjusted =
  (amount: number, response: MockResponse | undefined): Apply =>
  (card) => {
    if (response && response.status !== 200) return card;
    return card && !card.isVoided ? { ...card, balance: card.balance + amount } : undefined;
  };

function isShown(card: Card | null, found: { readonly balance: number; readonly status: string } | undefined): boolean {
  if (!card || !found) return !card === !found;
  return found.balance === card.balance && (found.status === 'Voided') === card.isVoided;
}
