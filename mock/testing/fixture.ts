import { standardDocument } from '../../openapi/effective/behaviors.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import { type Behaviors, defaultBehaviors } from '../../openapi/generated/rules.ts';
import type { Account } from '../account/account.ts';
import type { Log } from '../account/log.ts';
import { Sandbox } from '../account/sandbox.ts';
import { Contract } from '../contract/contract.ts';
import { type ContractVariant, ContractVariants } from '../contract/effective/contract-variants.ts';
import { effectiveContract } from '../contract/effective/effective-contract.ts';
import { serveNow } from '../pipeline/handle.ts';
import { silent } from '../server/log.ts';
import type { AccountDescription } from '../world/generated/described.ts';
import { worldOf } from '../world/read.ts';

export const NOON = Date.UTC(2026, 0, 15, 12);

export const iso = (at: number) => new Date(at).toISOString();

interface TestResponse {
  readonly status: number;
  readonly mediaType: string;
  /** The JSON value, or the text of a body that is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test compares the body with an expected value, so the body needs no type.
  readonly body: any;
}

export interface SandboxFixture {
  readonly sandbox: Sandbox;
  readonly account: Account;
  /** Sends a request. Default: the first account's key. Null sends no key. */
  send(method: string, path: string, body?: unknown, key?: string | null): TestResponse;
  create(fields?: Readonly<Record<string, unknown>>): TestResponse['body'];
  adjust(code: string, adjustmentAmount: number, fields?: Readonly<Record<string, unknown>>): TestResponse;
  /** Moves the account's clock to `at`. Due events run at the next request or `settled()`. */
  at(at: number): void;
}

/** Compiles contracts with overrides synchronously. The mock itself loads the compiler only when a variant has overrides. */
const standard = new Contract(standardDocument);
const variants = new ContractVariants(standard, (overrides) => effectiveContract(standardDocument, overrides));

/** Returns a sandbox with these accounts, and functions that send requests. Default: one plain account. */
export function sandboxOf(
  accounts: readonly AccountDescription[] = [{}],
  options: { rateLimit?: number | null; log?: Log; behaviors?: Partial<Behaviors>; overrides?: readonly Override[] } = {},
): SandboxFixture {
  const { rateLimit = null, log = silent, behaviors = {}, overrides = [] } = options;
  const variant = variants.known({ ...defaultBehaviors, ...behaviors }, overrides) as ContractVariant;
  const sandbox = new Sandbox({ world: worldOf({ accounts }), seed: 1, rateLimit, log, variant });
  sandbox.clock.freeze(NOON);
  for (const each of sandbox.accounts.values()) each.clock.freeze(NOON);
  const [account] = sandbox.accounts.values();
  if (!account) throw new Error('A fixture needs an account.');
  let made = 0;
  const send: SandboxFixture['send'] = (method, path, body, key = account.keys[0]?.key ?? null) => {
    const { response } = serveNow(sandbox, {
      method,
      target: path,
      headers: {
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    });
    const text = String(response.body);
    const mediaType = response.headers['content-type']?.split(';')[0] ?? '';
    return { status: response.status, mediaType, body: /[/+]json$/.test(mediaType) ? JSON.parse(text) : text };
  };
  return {
    sandbox,
    account,
    send,
    create: (fields = {}) => {
      const { status, body } = send('POST', '/api/GiftCard/Create', { balance: 25, ...fields });
      if (status !== 200) throw new Error(`The fixture's card was refused with ${status}: ${body}`);
      return body;
    },
    adjust: (giftCardCode, adjustmentAmount, fields = {}) =>
      send('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode', {
        giftCardCode,
        adjustmentAmount,
        actionedAtUtc: '2026-01-15T11:00:00Z',
        uniqueAdjustmentId: `adjustment-${++made}`,
        ...fields,
      }),
    at: (at) => account.clock.freeze(at),
  };
}
