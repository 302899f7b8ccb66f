import { select } from '../../conformance/core/contract.ts';
import { Receiver } from '../../conformance/core/receiver.ts';
import { examine, type Trust, trustUnexamined } from '../../conformance/core/trust.ts';
import { type Profile, readProfile, type Target } from '../../conformance/http/target.ts';
import { defaultLedger, LedgerFolder } from '../../conformance/safety/ledger-folder.ts';
import { type Policy, policyOf, remoteRate } from '../../conformance/safety/policy.ts';
import { allOverrides } from '../../openapi/effective/behaviors.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import { readVariant, type Variant } from '../../openapi/effective/variant.ts';
import type { Environment } from '../io.ts';
import { UsageError } from '../usage-error.ts';
import type { CliContext, SuiteIo } from './context.ts';
import type { SelectionValues, TargetValues, TestValues } from './flags.ts';

/** A target without its key. A plan needs no key. */
export interface PlannedTarget {
  readonly trust: Trust;
  readonly target: Omit<Target, 'key'>;
  readonly policy: Policy;
}

export interface TestTarget extends PlannedTarget {
  readonly io: SuiteIo;
  readonly target: Target;
  readonly ledger: LedgerFolder;
  readonly variant?: Variant | undefined;
  readonly seed?: number | undefined;
  readonly quiet?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** Returns the target of the flags, with its key from the environment. Examines a target on this machine. If neither a flag nor the profile names the variable with the key, it is `keyVariable`. Rejects with UsageError. */
export async function testTargetFrom(
  values: TargetValues & TestValues,
  context: CliContext,
  keyVariable = 'GIFTCARD_API_KEY',
): Promise<TestTarget> {
  // All flags are checked before the first request.
  const { target: unexamined } = plannedTargetFrom(values, context);
  const variable = values['key-env'] ?? unexamined.profile.keyEnv ?? keyVariable;
  const flag = keyVariable === 'GIFTCARD_API_KEY' ? '--key-env' : 'keyEnv of the profile'; // compare has no --key-env.
  const key = secretIn(variable, flag, 'API key', context.environment);
  const variant = values.variant && (await readVariant(values.variant));
  const planned = plannedTargetFrom(values, context, await examine(unexamined));
  const ledger = ledgerFrom(values, context, planned.trust.service);
  const target = { ...planned.target, key, keyVariable: variable, overrides: overridesOf(variant) };
  const { seed, quiet, yes } = values;
  return { ...planned, io: context.io, target, ledger, variant, seed, quiet, yes };
}

/** Returns the target of the flags. Without `examined`, a target on this machine is not treated as the mock. Throws UsageError. */
export function plannedTargetFrom(
  values: TargetValues & Partial<TestValues>,
  { io: { fetch } }: CliContext,
  examined?: Trust,
): PlannedTarget {
  const url = urlFrom(values);
  const trust = examined ?? trustUnexamined({ url });
  const isOwn = trust.place === 'mock' || (trust.place === 'near' && values.mode === 'full');
  const timeout = values['delivery-timeout'];
  const target = {
    url,
    fetch,
    isOwn,
    profile: profileFrom(values),
    ratePerMinute: values.rate ?? (isOwn ? undefined : remoteRate),
    deliveryTimeout: timeout && 1_000 * timeout,
  };
  return { target, trust, policy: policyFrom(values, trust, isOwn) };
}

function urlFrom({ target }: Pick<TargetValues, 'target'>): string {
  if (target === undefined) throw new UsageError('No target is given. Use --target URL, such as --target http://127.0.0.1:8460.');
  return target;
}

/** Returns the secret in an environment variable. `flag` is the flag that chooses the variable. Throws UsageError. */
export function secretIn(variable: string, flag: string, kind: string, environment: Environment): string {
  if (!/^[A-Za-z_]\w*$/.test(variable))
    throw new UsageError(`${flag} must be the name of an environment variable, got "${variable}".`);
  const secret = Object.hasOwn(environment, variable) ? environment[variable] : undefined;
  if (!secret) throw new UsageError(`The environment variable ${variable} has no ${kind}. Set it, or name another with ${flag}.`);
  // With other characters in a header, fetch throws an error that shows the secret.
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new UsageError(`The environment variable ${variable} has blanks or non-ASCII characters. Set it to the ${kind} alone.`);
}

/** Returns the profile of the file. The webhook flags replace the file's receiver. */
function profileFrom(values: TargetValues): Profile {
  const { 'webhook-listen': listen, 'webhook-url': url } = values;
  const profile = values.profile === undefined ? {} : readProfile(values.profile);
  if (!profile.receiver && listen === undefined && url === undefined) return profile;
  const receiver = { ...profile.receiver, ...(listen === undefined ? {} : { listen }), ...(url === undefined ? {} : { url }) };
  // The constructor checks the addresses.
  new Receiver(receiver);
  return { ...profile, receiver };
}

export const overridesOf = (variant: Variant | undefined): readonly Override[] =>
  variant ? allOverrides(variant.behaviors, variant.overrides) : [];

/** Returns the ledger of the service. By default, the service is the target. */
export function ledgerFrom(
  values: Pick<TargetValues, 'target' | 'ledger'>,
  { environment }: CliContext,
  service = urlFrom(values),
): LedgerFolder {
  return new LedgerFolder(values.ledger ?? defaultLedger(service, environment), service);
}

function policyFrom(values: Partial<TestValues>, { place, because }: Trust, isOwn: boolean): Policy {
  const { mode = place === 'mock' ? 'full' : 'safe', allow = [] } = values;
  if (mode === 'read-only' && allow.length > 0)
    throw new UsageError(
      `--mode read-only changes nothing, so --allow ${allow.join(',')} has no effect. Leave out one of the two flags.`,
    );
  const policy = policyOf(mode, allow, {});
  const isDoubtful = place === 'near' && values.mode === undefined;
  return {
    ...policy,
    ...(isDoubtful ? { modeBecause: `not proved to be the mock: ${because}; for your own server, use --mode full` } : {}),
    maxCreates: values['max-creates'] ?? policy.maxCreates,
    maxRequests: values['max-requests'] ?? policy.maxRequests,
    maxFaceValue: values['max-face-value'] ?? policy.maxFaceValue,
    canary: place !== 'mock' && mode !== 'read-only',
    leaveCards: values['leave-cards'],
    // A run sends malformed input only to the user's own server, and only if the profile has clock or noRateLimit. The fuzz command sets `inputs` to true.
    ...(mode === 'full' && isOwn ? {} : { inputs: false }),
  };
}

/** Returns the rules that match the names and the level. Throws UsageError if no rule matches, or if a name is a URL. */
export function selectedRules({ level, skip = [] }: SelectionValues, names: readonly string[]) {
  const url = names.find(isUrl);
  if (url !== undefined) throw new UsageError(`"${url}" is not a rule. Name the target with --target URL.`);
  return select({ names, skip, level });
}

export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);
