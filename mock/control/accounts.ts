import { ruleValues } from '../../openapi/generated/rules.ts';
import { mustExist } from '../account/accounts.ts';
import type { ApiKey } from '../account/settings.ts';
import { DAY, DURATIONS, formatTime, localMonth, millisecondsOf } from '../domain/dates.ts';
import { usesAllowance } from '../domain/issue.ts';
import { redactUrls } from '../journal/redaction.ts';
import { authorize } from '../pipeline/authenticate.ts';
import { version } from '../server/version.ts';
import type { WebhookRecord } from '../state/records.ts';
import { plainWebhooks } from '../world/check.ts';
import { type FilledAccount as AccountDescription, keyFor } from '../world/description.ts';
import { defaultWorld } from '../world/generated/default-world.ts';
import { readDescription as describedAccount } from '../world/read.ts';
import { withSampleCards } from '../world/samples.ts';
import type { Body, Query } from './operation-types.ts';
import { ControlError, type ControlledAccount, type InAccount, type InSandbox } from './resources.ts';

const LONGEST_LIFE = 366 * DAY;

export function getHealth({ sandbox: { defects, accounts, rows } }: InSandbox) {
  const reason = rows.persistence?.failure;
  const works = reason === undefined ? 'ok' : 'degraded';
  return {
    status: defects.length === 0 ? works : 'defective',
    ...(reason !== undefined && { reason }),
    version,
    seed: accounts.seed,
    accounts: accounts.size,
    defects,
  } as const;
}

export function reset({ sandbox }: InSandbox) {
  sandbox.reset();
  return getHealth({ sandbox });
}

export function listAccounts({ sandbox }: InSandbox) {
  return Array.from(sandbox.accounts.values(), (account) => getAccount({ account }));
}

export function getAccount({ account }: InAccount) {
  const { id, settings, keys, goneAt, effects } = account;
  const usable = keys.find((key) => !authorize({ account, key }));
  return {
    id,
    apiKey: usable?.key ?? null,
    keys: keys.map(keyView),
    ...settings,
    webhooks: Array.from(account.state.webhooks(), webhookView),
    goneAtUtc: formatTime(goneAt),
    dropped: { outbox: effects.outbox.dropped, deliveries: effects.deliveries.dropped, suppressed: effects.suppressed.dropped },
  };
}

export function keyView({ key, description, deleted, deletedAt }: ApiKey) {
  return { key, description, deleted, deletedAtUtc: formatTime(deletedAt) };
}

function webhookView({ id, url, token, enabled, failures }: WebhookRecord) {
  const lifetimeFailures = { count: failures, of: ruleValues['webhook.disabled-after-failures'] };
  return { id, url: url && redactUrls(url), signed: token !== null, enabled, lifetimeFailures };
}

/** Adds an account. Without a description, copies the first account of the default world. `ttl` is a duration of real time. */
export async function addAccount({ sandbox, query = {}, body }: InSandbox & Query<'addAccount'> & Body<'addAccount'>) {
  const lifetime = query.ttl === undefined ? undefined : lifetimeOf(query.ttl);
  const description =
    body === undefined || Object.keys(body).length === 0
      ? likeDefault(sandbox.accounts.nextId())
      : describedAccount(body, () => sandbox.accounts.nextId());
  const [plain] = plainWebhooks(description, sandbox.plainHttpHosts);
  if (plain !== undefined) throw new ControlError(400, plain);
  const { resets, seed } = sandbox.accounts;
  const whole = await withSampleCards(description, seed);
  if (sandbox.accounts.resets !== resets)
    throw new ControlError(409, 'The sandbox was reset or restored during the request; send the request again.');
  return getAccount({ account: sandbox.add(whole, lifetime) });
}

function lifetimeOf(ttl: string): number {
  const milliseconds = millisecondsOf(ttl) ?? 0;
  if (milliseconds > 0 && milliseconds <= LONGEST_LIFE) return milliseconds;
  throw new ControlError(400, `ttl must be a duration above zero and at most a year, such as ${DURATIONS}, got "${ttl}".`);
}

function likeDefault(id: string): AccountDescription {
  return { ...(defaultWorld.accounts[0] as AccountDescription), id, keys: [keyFor(id)] };
}

export function removeAccount({ sandbox, account }: InSandbox & InAccount): undefined {
  sandbox.accounts.remove(account);
}

export function resetAccount({ sandbox, account }: InSandbox & InAccount) {
  return progressOf(sandbox.accounts.reset(account));
}

export async function settleAccount({ account }: InAccount) {
  await account.effects.settled();
  mustExist(account);
  return progressOf(account);
}

function progressOf({ id, clock }: ControlledAccount) {
  return { id, nowUtc: formatTime(clock.now()), nextEventUtc: formatTime(clock.scheduler.next()?.at ?? null) };
}

/** Returns the allowance of the current month on the account's clock. */
export function* getAllowance({ account: { settings, state, clock } }: InAccount) {
  const { timeZone, monthlyAllowance: size } = settings;
  const month = localMonth(clock.now(), timeZone);
  let used = 0;
  for (const card of state.cards()) {
    if (usesAllowance(month, card, timeZone)) used++;
    yield;
  }
  return { month, size, used, overage: size === null ? 0 : Math.max(0, used - size) };
}
