/** A shop's own client of the gift card service. The recipes test this code. The code does not depend on the sandbox. */

export interface GiftCard {
  readonly id: string;
  readonly code: string;
  readonly balance: number;
  readonly status: string;
}

/** Thrown if the service rejects a request. */
export class ServiceError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Sells a card for an order. The order's number is the idempotency value, so a retry after a lost response does not create a second card. */
export async function sellCard(
  service: Service,
  order: { readonly number: string; readonly code: string; readonly amount: number; readonly fields?: object },
): Promise<GiftCard> {
  const body = { balance: order.amount, code: order.code, uniqueId: order.number, ...order.fields };
  for (let attempt = 1; ; attempt++) {
    try {
      return (await send(service, 'POST', '/api/GiftCard/Create', body)) as GiftCard;
    } catch (error) {
      // "Already created" means that an earlier attempt succeeded, and only its response was lost.
      if (error instanceof ServiceError && error.status === 400 && /already been created/.test(error.message))
        return findCard(service, order.code);
      if (attempt === 3 || (error instanceof ServiceError && error.status < 500)) throw error;
    }
  }
}

export async function findCard(service: Service, code: string): Promise<GiftCard> {
  return (await send(service, 'GET', `/api/GiftCard/GetByCode/${encodeURIComponent(code)}`)) as GiftCard;
}

/** Redeems an amount of a card, as payment for an order. Redeems by ID, because the service does not check the balance of a redemption by code. */
export async function redeem(service: Service, card: GiftCard, amount: number, payment: string): Promise<void> {
  await send(service, 'POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', {
    giftCardId: card.id,
    adjustmentAmount: -amount,
    actionedAtUtc: new Date().toISOString(),
    uniqueAdjustmentId: payment,
  });
}

async function send({ baseUrl, apiKey }: Service, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new ServiceError(response.status, text);
  return JSON.parse(text);
}
