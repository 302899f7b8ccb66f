import { shortList } from '../../core/card-list.ts';
import { accepted, giftCard, same } from '../../core/expect.ts';
import { arranged, type Trial } from '../../core/trial.ts';
import type { Answer, Ask } from '../../http/exchange.ts';
import { byCode, cardIdField } from '../../scenarios/adjustments.ts';
import { type Card, card, getByCode, voidByCode, voidById } from '../../scenarios/cards.ts';
import { idleEvent } from '../../scenarios/events.ts';
import { quietUrl, register, removeAll } from '../../scenarios/webhooks.ts';
import { type Input, type WellFormed, written } from './parts.ts';
import { type Shape, shapeOf } from './shape.ts';

/** An operation, as it is tried with odd input. */
export interface Surface {
  /** How reports call it: POST /api/GiftCard/Create. */
  readonly named: string;
  readonly shape: Shape;
  /** Something that the run has to clean up may come of it. */
  readonly makes: boolean;
  /** What comes of it is known by the run's own value alone, so that no input goes without. */
  readonly marked?: boolean;
  /** It may take records of others away. */
  readonly takesAway: boolean;
  send(t: Trial, input: Input): Promise<Answer>;
  /** Goes on with another card where this one has been through much, or is worn. */
  renew(t: Trial, worn: boolean): Promise<void>;
  /** What a refusal must leave as it is. */
  look(t: Trial): Promise<unknown>;
}

type Wells = (t: Trial, on: Card) => WellFormed;

/** A card that odd input may be about, and that shows what has changed. That the target takes what is well formed is the control of all. */
export function watched(t: Trial): Promise<Card> {
  return t.control('a card that is created, adjusted and found', () =>
    t.shared('watched card', async (shared) => {
      const on = await card(shared, { balance: 1, notes: 'as created', customField1: 'as created' });
      accepted(await byCode(shared, on, 0.25), 'an adjustment');
      same(giftCard(await getByCode(shared, on.code)).id, on.id, 'its id');
      return on;
    }),
  );
}

const quietly = async (t: Trial, ask: Ask, what: string) => arranged(await t.sendOfMany(ask), what).json;

/** The card with its history, and how many cards there are. */
export async function lookAt(t: Trial, on: Card): Promise<unknown[]> {
  const path = `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${encodeURIComponent(on.code)}`;
  return [await quietly(t, { method: 'GET', path }, 'the history of the watched card'), await quietly(t, shortList, 'the list')];
}

const fresh = (t: Trial) => t.run.ledger.fresh('GCSNONE');
const adjusting = (t: Trial) => ({
  adjustmentAmount: 0.01,
  notes: 'odd input',
  actionedAtUtc: new Date().toISOString(),
  uniqueAdjustmentId: t.run.ledger.unique('GCS-A'),
});

/** The well-formed request of each operation, to which nothing happens that others could mind. */
const wells: Readonly<Record<string, Wells>> = {
  getGiftCardByCode: (t, { code }) => ({ ...looking(code), own: fresh(t) }),
  getGiftCardById: (t, { id }) => ({ ...looking(id), own: fresh(t) }),
  getGiftCardsByEmail: (t) => ({ ...looking(), query: { emailAddress: 'nobody@example.com' }, own: fresh(t) }),
  getGiftCardByAccountPlatformIdAndSourceId: (t) => ({
    ...looking(),
    query: { accountPlatformId: fresh(t), sourceId: fresh(t) },
    own: fresh(t),
  }),
  listGiftCards: (t) => ({ ...looking(), query: { pageSize: '1' }, own: fresh(t) }),
  listAdjustmentsByGiftCardCode: (t, { code }) => ({ ...looking(code), own: fresh(t) }),
  listAdjustmentsByGiftCardId: (t, { id }) => ({ ...looking(id), own: fresh(t) }),
  voidGiftCardByCode: (t) => unknown(t),
  voidGiftCardById: (t) => unknown(t),
  deleteWebhook: (t) => unknown(t),
  getCompanyProfile: (t) => ({ ...looking(), own: fresh(t) }),
  listWebhooks: (t) => ({ ...looking(), own: fresh(t) }),
  createAutomationTriggerEvent: (t) => ({
    ...posting,
    body: { event_name: fresh(t), recipient_email: 'recipient@example.com', properties: { a: 'b' } },
    own: fresh(t),
  }),
};

export const posting = { method: 'POST', path: '' } as const;
const looking = (segment?: string | number) =>
  ({ method: 'GET', path: '', ...(segment === undefined ? {} : { segment: encodeURIComponent(segment) }) }) as const;
const unknown = (t: Trial): WellFormed => ({ method: 'DELETE', path: '', segment: fresh(t), own: fresh(t) });

const isLook = ({ method }: Shape) => method === 'GET';

/** The card that is looked at, and that well-formed requests are about. */
interface Place {
  on: Card;
}

/** An operation of the contract from which nothing comes that has to be cleaned up. */
export async function surfaceOf(t: Trial, operationId: string): Promise<Surface> {
  const place = { on: await watched(t) };
  const shape = shapeOf(operationId);
  const well = wells[operationId];
  if (!well) throw new Error(`No well-formed request of ${operationId} is known here.`);
  const surface = plain(shape, (trial) => well(trial, place.on), place);
  await wellTaken(t, operationId, surface, well(t, place.on));
  return surface;
}

export function plain(shape: Shape, well: (t: Trial) => WellFormed, place: Place): Surface {
  const path = shape.path.replace(/\/\{\w+\}$/, '');
  return {
    named: `${shape.method} ${path}`,
    shape,
    makes: false,
    takesAway: !isLook(shape) && shape.path.includes('{'),
    send: (t, input) => t.sendOfMany(input.write({ ...well(t), path })),
    look: (t) => lookAt(t, place.on),
    async renew(t, worn) {
      if (worn) place.on = await card(t, { balance: 1 });
    },
  };
}

/** The control: the same request with nothing wrong is taken; where that would take something away, something of the run's own. */
async function wellTaken(t: Trial, operationId: string, { named, shape }: Surface, well: WellFormed): Promise<void> {
  await t.control(`${named} with nothing odd`, async () => {
    if (operationId === 'voidGiftCardByCode') accepted(await voidByCode(t, (await card(t)).code), 'it');
    else if (operationId === 'voidGiftCardById') accepted(await voidById(t, (await card(t)).id), 'it');
    else if (operationId === 'createAutomationTriggerEvent') accepted(await idleEvent(t, 'with nothing odd'), 'it');
    else if (operationId === 'deleteWebhook') await registeredAndDeleted(t);
    // Which parameters find a card of a channel is open, and so is what finds none.
    else if (!/getGiftCardsByEmail|getGiftCardByAccountPlatformId/.test(operationId))
      accepted(await t.send(named, written({ ...well, path: shape.path.replace(/\/\{\w+\}$/, '') })), 'it');
  });
}

export async function registeredAndDeleted(t: Trial): Promise<void> {
  const url = (await quietUrl(t)).url;
  accepted((await register(t, url)).answer, 'registering a webhook');
  await removeAll(t, [url]);
}

/** Adjustments by ID, under the name that this target has for the ID. */
export async function adjustmentsById(t: Trial): Promise<Surface> {
  const on = await watched(t);
  const field = await cardIdField(t);
  const shape = shapeOf('addAdjustmentByGiftCardId');
  const named = { ...shape, body: shape.body.map((each) => (each.name === 'giftCardId' ? { ...each, name: field } : each)) };
  return adjustments(named, on, ({ id }) => ({ [field]: id }));
}

export async function adjustmentsByCode(t: Trial): Promise<Surface> {
  return adjustments(shapeOf('addAdjustmentByGiftCardCode'), await watched(t), ({ code }) => ({ giftCardCode: code }));
}

/** So many entries in the history of one card are enough to look through again and again. */
const mostEntries = 15;

function adjustments(shape: Shape, first: Card, naming: (on: Card) => Record<string, unknown>): Surface {
  const place = { on: first };
  let taken = 0;
  const well = (t: Trial): WellFormed => ({ ...posting, body: { ...naming(place.on), ...adjusting(t) }, own: fresh(t) });
  return {
    ...plain(shape, well, place),
    async renew(t, worn) {
      if (!worn && taken <= mostEntries) return;
      place.on = await card(t, { balance: 1 });
      taken = 0;
    },
    async send(t, input) {
      const answer = await t.sendOfMany(input.write({ ...well(t), path: shape.path }));
      if (answer.status === 200) taken += 1;
      return answer;
    },
  };
}

/** Creates, each of which the ledger has before it is sent: by its code or, where the code is what is odd, by a mark in a custom field. */
export async function creates(t: Trial): Promise<Surface> {
  const surface = plain(shapeOf('createGiftCard'), () => ({ ...posting, own: '' }), { on: await watched(t) });
  return { ...surface, makes: true, send: createOddly };
}

async function createOddly(t: Trial, input: Input): Promise<Answer> {
  const { ledger } = t.run;
  t.stillWanted();
  const uncoded = input.subject === 'code' || input.unmarked === true;
  const entry = uncoded ? ledger.openUncoded() : ledger.open(ledger.fresh(), undefined);
  const body = {
    balance: 0.5,
    ...(uncoded ? {} : { code: entry.code }),
    ...(entry.mark === undefined ? {} : { customField1: entry.mark }),
    uniqueId: ledger.unique('GCS-U'),
    disableEmails: true,
  };
  const odd = input.write({ ...posting, path: '/api/GiftCard/Create', body, own: ledger.fresh() });
  const answer = await t.sendOfMany({ ...odd, entry });
  ledger.settle(entry, answer);
  const { code } = (answer.json ?? {}) as { code?: unknown };
  if (answer.status !== 200 || typeof code !== 'string' || code === entry.code) return answer;
  if (!uncoded) ledger.settle(ledger.open(code, undefined), answer);
  // Under a code that no path can name, the card is known by its id.
  else if (/^[\w-]{4,}$/.test(code)) ledger.coded(entry, code);
  return answer;
}
