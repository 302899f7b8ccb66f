import { UsageError } from '../../command-line/usage-error.ts';
import { rowsOf } from '../../openapi/effective/behaviors.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import { readVariant, type Variant, VariantError } from '../../openapi/variant/variant.ts';
import { select } from '../core/select.ts';
import { remoteRate } from '../core/settings.ts';
import { isLocal, type Profile, type Target } from '../core/target.ts';
import { Receiver } from '../http/receiver.ts';
import { defaultLedger, LedgerFolder } from '../safety/ledger-folder.ts';
import { type Policy, policyOf } from '../safety/policy.ts';
import type { CliContext } from './context.ts';
import type { PolicyValues, SelectionValues, TargetValues } from './flags.ts';
import { readProfile } from './profile-file.ts';

/** The target of the flags, with its key from the environment. Throws UsageError. */
export function targetFrom(values: TargetValues, context: CliContext, variant?: Variant): Target {
  const url = urlFrom(values);
  const profile = profileFrom(values);
  const variable = values['key-env'] ?? profile.keyEnv ?? 'GIFTCARD_API_KEY';
  return { ...targetAt(url, keyIn(variable, context), profile, values.rate, context), wire: variant ? overridesIn(variant) : [] };
}

export function targetAt(
  url: string,
  key: string,
  profile: Profile,
  rate: number | undefined,
  { io }: Pick<CliContext, 'io'>,
): Target {
  const ratePerMinute = rateFrom(rate, url);
  return {
    url,
    key,
    profile,
    ...(io.fetch ? { fetch: io.fetch } : {}),
    ...(ratePerMinute === undefined ? {} : { ratePerMinute }),
  };
}

export function urlFrom({ target }: Pick<TargetValues, 'target'>): string {
  if (target === undefined) throw new UsageError('No target is given. Use --target URL, such as --target http://127.0.0.1:8460.');
  return target;
}

/** Requests per minute; undefined if unlimited. */
export const rateFrom = (rate: number | undefined, url: string): number | undefined =>
  rate ?? (isLocal(url) ? undefined : remoteRate);

/** The key in an environment variable. Throws UsageError without the value, which may be a key. */
export function keyIn(variable: string, { environment }: Pick<CliContext, 'environment'>): string {
  checkVariable(variable, '--key-env');
  const key = environment[variable];
  if (!key) throw new UsageError(`The environment variable ${variable} has no API key. Set it, or name another with --key-env.`);
  if (!fitsHeader(key))
    throw new UsageError(`The environment variable ${variable} has blanks or non-ASCII characters. Set it to the API key alone.`);
  return key;
}

export function checkVariable(name: string, flag: string): void {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new UsageError(`${flag} must be the name of an environment variable, got "${name}".`);
}

/** Header values with other characters make fetch throw an error that quotes them. */
export const fitsHeader = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

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

/** The variant files of the flag, separated by commas. A later file wins. Throws UsageError. */
export async function variantFrom(files: string | undefined): Promise<Variant | undefined> {
  if (files === undefined) return undefined;
  return readVariant(files.split(',')).catch((error: unknown) => {
    throw error instanceof VariantError ? new UsageError(error.problems.join('\n')) : error;
  });
}

/** How the wire of the variant differs from the contract. */
export const overridesIn = ({ behaviors, overrides }: Variant): Override[] => [
  ...overrides,
  ...rowsOf(behaviors).map(({ row }) => row),
];

export function ledgerFrom(values: Pick<TargetValues, 'target' | 'ledger'>, { environment }: CliContext): LedgerFolder {
  const url = urlFrom(values);
  return new LedgerFolder(values.ledger ?? defaultLedger(url, environment), url);
}

/** What the run may do: everything on a local target, little on a remote one, unless flags say otherwise. Throws UsageError. */
export function policyFrom(values: PolicyValues, url: string): Policy {
  const mode = values.mode ?? (isLocal(url) ? 'full' : 'safe');
  const allow = values.allow ?? [];
  if (mode === 'read-only' && allow.length > 0)
    throw new UsageError(`--mode read-only changes nothing, so --allow ${allow.join(',')} has no effect. Leave one of them out.`);
  const budget = {
    ...(values['max-creates'] === undefined ? {} : { maxCreates: values['max-creates'] }),
    ...(values['max-requests'] === undefined ? {} : { maxRequests: values['max-requests'] }),
    ...(values['max-face-value'] === undefined ? {} : { maxFaceValue: values['max-face-value'] }),
  };
  // A run sends malformed input only to a local target without a rate limit; the fuzz command sends it anywhere.
  const noInputs = mode !== 'full' || !isLocal(url);
  return { ...policyOf(mode, allow, budget), ...(noInputs ? { inputs: false } : {}) };
}

/** Throws UsageError, also for a URL in the place of a clause. */
export function selectedClauses({ level, skip = [] }: SelectionValues, names: readonly string[]) {
  const url = names.find((name) => /^https?:\/\//i.test(name));
  if (url !== undefined) throw new UsageError(`"${url}" is not a clause. Name the target with --target URL.`);
  return select({ names, skip, level });
}
