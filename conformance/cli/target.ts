import type { Environment } from '../../command-line/io.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { allOverrides } from '../../openapi/effective/behaviors.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import { readVariant, type Variant, VariantError } from '../../openapi/variant/variant.ts';
import { select } from '../core/select.ts';
import { remoteRate } from '../core/settings.ts';
import { isLocal, type Profile, type Target } from '../core/target.ts';
import { Receiver } from '../http/receiver.ts';
import { defaultLedger, LedgerFolder } from '../safety/ledger-folder.ts';
import { type Policy, policyOf } from '../safety/policy.ts';
import type { CliContext, Io } from './context.ts';
import type { PolicyValues, SelectionValues, TargetValues, TestValues } from './flags.ts';
import { readProfile } from './profile-file.ts';

/** A target with the policy and the ledger of a command. */
export interface TestTarget {
  /** Where messages about the target go. */
  readonly io: Io;
  readonly target: Target;
  readonly policy: Policy;
  readonly ledger: LedgerFolder;
  readonly quiet?: boolean | undefined;
}

interface TargetOptions {
  readonly variant?: Variant | undefined;
  /** The environment variable with the API key, if neither a flag nor the profile names one. Default: GIFTCARD_API_KEY. */
  readonly keyVariable?: string;
}

/** The target of the flags, with its key from the environment. Throws UsageError. */
export function testTargetFrom(
  values: TargetValues & Partial<TestValues>,
  context: CliContext,
  { variant, keyVariable = 'GIFTCARD_API_KEY' }: TargetOptions = {},
): TestTarget {
  const { environment, io } = context;
  const url = urlFrom(values);
  const profile = profileFrom(values);
  const key = secretIn(values['key-env'] ?? profile.keyEnv ?? keyVariable, '--key-env', 'API key', environment);
  const overrides = variant ? overridesIn(variant) : [];
  return {
    io,
    target: { url, key, profile, overrides, ...rateFrom(values.rate, url), ...(io.fetch ? { fetch: io.fetch } : {}) },
    policy: policyFrom(values, url),
    ledger: ledgerFrom(values, context),
    quiet: values.quiet,
  };
}

export function urlFrom({ target }: Pick<TargetValues, 'target'>): string {
  if (target === undefined) throw new UsageError('No target is given. Use --target URL, such as --target http://127.0.0.1:8460.');
  return target;
}

/** Empty if the rate is unlimited. */
export function rateFrom(rate: number | undefined, url: string): Pick<Target, 'ratePerMinute'> {
  if (rate !== undefined) return { ratePerMinute: rate };
  return isLocal(url) ? {} : { ratePerMinute: remoteRate };
}

/** The secret in an environment variable that `flag` names. Throws UsageError without the value. */
export function secretIn(variable: string, flag: string, kind: string, environment: Environment): string {
  if (!/^[A-Za-z_]\w*$/.test(variable))
    throw new UsageError(`${flag} must be the name of an environment variable, got "${variable}".`);
  const secret = environment[variable];
  if (!secret) throw new UsageError(`The environment variable ${variable} has no ${kind}. Set it, or name another with ${flag}.`);
  // Header values with other characters make fetch throw an error that quotes them.
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new UsageError(`The environment variable ${variable} has blanks or non-ASCII characters. Set it to the ${kind} alone.`);
}

/** The profile file; the webhook flags win over it. Throws UsageError. */
export function profileFrom(values: Pick<TargetValues, 'profile'> & Partial<TargetValues>): Profile {
  const { 'webhook-listen': listen, 'webhook-url': url } = values;
  const profile = values.profile === undefined ? {} : readProfile(values.profile);
  if (!profile.receiver && listen === undefined && url === undefined) return profile;
  const receiver = { ...profile.receiver, ...(listen === undefined ? {} : { listen }), ...(url === undefined ? {} : { url }) };
  // The constructor checks the addresses.
  new Receiver(receiver);
  return { ...profile, receiver };
}

/** A later file wins. Throws UsageError. */
export async function variantFrom(files: readonly string[] | undefined): Promise<Variant | undefined> {
  if (files === undefined) return undefined;
  return readVariant(files).catch((error: unknown) => {
    throw error instanceof VariantError ? new UsageError(error.problems.join('\n')) : error;
  });
}

/** How the wire of the variant differs from the contract. A later override wins. */
export const overridesIn = ({ behaviors, overrides }: Variant): readonly Override[] => allOverrides(behaviors, overrides);

export function ledgerFrom(values: Pick<TargetValues, 'target' | 'ledger'>, { environment }: CliContext): LedgerFolder {
  const url = urlFrom(values);
  return new LedgerFolder(values.ledger ?? defaultLedger(url, environment), url);
}

/** The default allows everything on a local target, and little on a remote one. Throws UsageError. */
export function policyFrom(values: Partial<PolicyValues>, url: string): Policy {
  const { mode = isLocal(url) ? 'full' : 'safe', allow = [] } = values;
  if (mode === 'read-only' && allow.length > 0)
    throw new UsageError(`--mode read-only changes nothing, so --allow ${allow.join(',')} has no effect. Leave one of them out.`);
  const policy = policyOf(mode, allow, {});
  return {
    ...policy,
    maxCreates: values['max-creates'] ?? policy.maxCreates,
    maxRequests: values['max-requests'] ?? policy.maxRequests,
    maxFaceValue: values['max-face-value'] ?? policy.maxFaceValue,
    // A run sends malformed input only to a local target without a rate limit; the fuzz command sends it anywhere.
    ...(mode === 'full' && isLocal(url) ? {} : { inputs: false }),
  };
}

/** Throws UsageError, also for a URL in the place of a clause. */
export function selectedClauses({ level, skip = [] }: SelectionValues, names: readonly string[]) {
  const url = names.find((name) => isUrl(name));
  if (url !== undefined) throw new UsageError(`"${url}" is not a clause. Name the target with --target URL.`);
  return select({ names, skip, level });
}

export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);
