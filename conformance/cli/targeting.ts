import { UsageError } from '../../command-line/usage-error.ts';
import { didYouMean } from '../../openapi/input/closest.ts';
import { gentleRate } from '../core/defaults.ts';
import { type Allowance, allowances, type Mode, modes } from '../core/mode.ts';
import { baseUrl, isLocal, type Profile, type Target } from '../core/target.ts';
import { Receiver } from '../http/receiver.ts';
import { type FactsFile, readFacts } from '../learn/file.ts';
import { defaultLedger, LedgerFolder } from '../safety/ledger-folder.ts';
import { type Policy, policyOf } from '../safety/policy.ts';
import type { Asked } from './command-line.ts';
import { readProfile } from './profile-file.ts';
import { checkVariable, fitsHeader } from './variable.ts';

/** Flags of every command that asks a target. */
export const targeting = ['target', 'key-env', 'profile', 'rate', 'ledger', 'webhook-listen', 'webhook-url'] as const;

/** Flags that say what a run may do. */
export const limiting = ['mode', 'allow', 'max-creates', 'max-requests', 'max-face-value', 'inputs', 'no-inputs', 'yes'] as const;

/** The target that the flags and the environment name. Throws UsageError where something is missing or cannot be used. */
export function targetOf(asked: Asked): Target {
  const { flags } = asked;
  const url = urlOf(asked);
  return targetAt(asked, url, keyIn(asked, flags['key-env'] ?? 'GIFTCARD_API_KEY', '--key-env'), profileOf(asked));
}

/** The key that an environment variable holds. Throws UsageError, which names the flag that names the variable. */
export function keyIn({ env }: Pick<Asked, 'env'>, variable: string, flag: string): string {
  const key = env[variable];
  checkVariable(variable, flag, 'GIFTCARD_API_KEY');
  if (!key) throw new UsageError(`The environment variable ${variable} holds no API key. Set it, or name another with ${flag}.`);
  if (!fitsHeader(key))
    throw new UsageError(
      `The environment variable ${variable} holds something that is no API key: a blank, a line break or a letter beyond ASCII is in it. Set it to the key alone.`,
    );
  return key;
}

/** What is known of the target beforehand. Throws UsageError for a file that cannot be used. */
export const factsOf = async ({ flags }: Asked): Promise<FactsFile | undefined> =>
  flags.facts === undefined ? undefined : readFacts(flags.facts);

export function targetAt({ flags, io }: Asked, url: string, key: string, profile: Profile): Target {
  const ratePerMinute = rateOf({ flags }, url);
  return {
    url,
    key,
    profile,
    ...(io.fetch ? { fetch: io.fetch } : {}),
    ...(ratePerMinute === undefined ? {} : { ratePerMinute }),
  };
}

export function urlOf({ flags }: Asked): string {
  if (flags.target === undefined)
    throw new UsageError('No target is given. Say which service to judge: --target http://127.0.0.1:8460');
  return baseUrl(flags.target);
}

/** What is said on the command line goes before what the profile says of the receiver. Throws UsageError for an address that is none. */
export function profileOf({ flags }: Asked): Profile {
  const { 'webhook-listen': listen, 'webhook-url': url } = flags;
  const profile = flags.profile === undefined ? {} : readProfile(flags.profile);
  if (!profile.receiver && listen === undefined && url === undefined) return profile;
  const receiver = { ...profile.receiver, ...(listen === undefined ? {} : { listen }), ...(url === undefined ? {} : { url }) };
  new Receiver(receiver);
  return { ...profile, receiver };
}

export function ledgerOf(asked: Asked): LedgerFolder {
  const url = urlOf(asked);
  return new LedgerFolder(asked.flags.ledger ?? defaultLedger(url, asked.env), url);
}

/** Requests a minute that a run keeps to; undefined where it need not. */
export function rateOf({ flags: { rate: text } }: Pick<Asked, 'flags'>, url: string): number | undefined {
  if (text === undefined) return isLocal(url) ? undefined : gentleRate;
  const rate = Number(/^(\d+)\/m$/.exec(text)?.[1]);
  if (!(rate >= 1)) throw new UsageError(`--rate "${text}" is no number of requests per minute. Give one such as 60/m.`);
  return rate;
}

/** What the run may do: everything on this machine, and little elsewhere, unless the flags say otherwise. */
export function limitsOf({ flags }: Asked, url: string): Policy {
  const mode = oneOf<Mode>(modes, flags.mode ?? (isLocal(url) ? 'full' : 'safe'), '--mode');
  const allow = (flags.allow ?? [])
    .flatMap((text) => text.split(','))
    .map((text) => oneOf<Allowance>(allowances, text, '--allow'));
  if (mode === 'read-only' && allow.length > 0)
    throw new UsageError(
      `A read-only run changes nothing, so that --allow ${allow.join(',')} lets nothing. Leave out one of the two.`,
    );
  const budget = {
    ...amount('maxCreates', flags['max-creates'], '--max-creates', /^\d+$/),
    ...amount('maxRequests', flags['max-requests'], '--max-requests', /^0*[1-9]\d*$/),
    ...amount('maxFaceValue', flags['max-face-value'], '--max-face-value', /^\d+(\.\d+)?$/),
  };
  if (flags.inputs && flags['no-inputs']) throw new UsageError('--inputs and --no-inputs were both given. Say one of them.');
  // Elsewhere than on this machine odd input is sent only where somebody says so.
  const inputs = flags.inputs ? true : flags['no-inputs'] || mode !== 'full' || !isLocal(url) ? false : undefined;
  return { ...policyOf(mode, allow, budget), ...(inputs === undefined ? {} : { inputs }) };
}

/** A whole number; undefined where none is given. Throws UsageError. */
export function wholeNumber(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`${flag} "${text}" is no whole number. Give one such as 1.`);
  return Number(text);
}

/** A number of days; undefined where none is given. Throws UsageError. */
export function daysOf(text: string | undefined): number | undefined {
  const days = wholeNumber(text, '--old-after');
  if (days !== undefined && days < 0) throw new UsageError(`--old-after "${text}" is no number of days. Give one such as 90.`);
  return days;
}

function oneOf<T extends string>(known: readonly T[], text: string, flag: string): T {
  const found = known.find((each) => each === text);
  if (found === undefined)
    throw new UsageError(`${flag} "${text}" is not known. Known are ${known.join(', ')}.${didYouMean(text, known)}`);
  return found;
}

function amount<N extends string>(name: N, text: string | undefined, flag: string, shape: RegExp): { [K in N]?: number } {
  if (text === undefined) return {};
  if (!shape.test(text)) throw new UsageError(`${flag} "${text}" is no such number. Give one such as 5.`);
  return { [name]: Number(text) } as { [K in N]?: number };
}
