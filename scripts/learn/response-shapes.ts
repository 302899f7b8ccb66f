import { type MockOptions, startMock } from '../../mock/index.ts';
import { defaultWorldProfile } from '../default-world-profile.ts';

type Shapes = Readonly<Record<string, string>>;

/** The status and the names and types of the body of one response of each kind, by request. */
export async function responseShapes(options: MockOptions): Promise<Shapes> {
  await using mock = await startMock({ listen: false, rateLimit: 'off', ...options });
  const shapes: Record<string, string> = {};
  const send = async (method: string, path: string, body?: unknown, headers: object = { 'x-api-key': mock.apiKey }) => {
    const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const response = await mock.fetch(`/api/${path}`, { method, headers: { ...headers }, ...text });
    const received = await response.text();
    const json: unknown = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(received) : undefined;
    const shape = json === undefined ? (received === '' ? 'empty' : 'text') : shapeOf(json);
    shapes[`${method} ${path} ${text.body ?? ''}`] = `${response.status} ${shape}`;
  };
  const names = {
    recipientName: 'R',
    recipientEmailAddress: 'r@example.com',
    buyerName: 'B',
    buyerEmailAddress: 'b@example.com',
  };
  const more = { giftMessage: 'M', notes: 'N', uniqueId: 'U', expiresAtUtc: '2040-01-01T00:00:00Z', isPromotional: true };
  await send('POST', 'GiftCard/Create', { balance: 5, code: 'SHAPE', ...names, ...more });
  const adjust = (uniqueAdjustmentId: string, adjustmentAmount: unknown) =>
    send('POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', {
      ...{ giftCardCode: 'SHAPE', actionedAtUtc: '2026-01-01T00:00:00Z', notes: 'A' },
      ...{ uniqueAdjustmentId, adjustmentAmount },
    });
  await adjust('1', -1);
  await adjust('2', 'many');
  await send('POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', '{');
  for (const path of [
    ...['GiftCard/GetByCode/SHAPE', 'GiftCard/List?pageSize=3', 'GiftCard/GetByEmail?emailAddress=r@example.com'],
    ...['GiftCardAdjustment/ListAdjustmentsByGiftCardCode/SHAPE', 'GiftCard/GetByCode/NONE', 'Company/Profile', 'Nowhere'],
  ])
    await send('GET', path);
  await send('DELETE', 'GiftCard/VoidByCode/SHAPE');
  await adjust('3', 1);
  await send('POST', 'Webhook/Create', { url: 'https://example.com/hook', description: 'W' });
  await send('GET', 'Webhook/List');
  const event_name = defaultWorldProfile.automationEvent?.name;
  await send('POST', 'AutomationTriggerEvents', { event_name, recipient_email: 'e@example.com', properties: {} });
  await send('GET', 'GiftCard/List', undefined, {});
  return shapes;
}

/** Names and types of a JSON value. */
function shapeOf(json: unknown): string {
  if (json === null) return 'null';
  if (Array.isArray(json)) return `[${[...new Set(json.map(shapeOf))].join(' | ')}]`;
  if (typeof json !== 'object') return typeof json;
  return `{${Object.entries(json)
    .map(([name, value]) => `${name}: ${shapeOf(value)}`)
    .join(', ')}}`;
}
