import type { Asked } from '../command-line.ts';
import { loopbackUrl, readProfile, type Target, UsageError } from '../target.ts';

/** Flags of every command that asks a target. */
export const targeting = ['target', 'key-env', 'profile', 'rate'] as const;

/** The target that the flags and the environment name. Throws UsageError where something is missing or cannot be used. */
export function targetOf({ flags, env, io: { fetch } }: Asked): Target {
  if (flags.target === undefined)
    throw new UsageError('No target is given. Say which service to judge: --target http://127.0.0.1:8460');
  const url = loopbackUrl(flags.target);
  const variable = flags['key-env'] ?? 'GIFTCARD_API_KEY';
  const key = env[variable];
  if (!key)
    throw new UsageError(`The environment variable ${variable} holds no API key. Set it, or name another with --key-env.`);
  const rate = flags.rate === undefined ? undefined : Number(/^\d+/.exec(flags.rate)?.[0]);
  if (rate !== undefined && !(rate >= 1))
    throw new UsageError(`--rate "${flags.rate}" is no number of requests per minute. Give one such as 60.`);
  return {
    url,
    key,
    profile: flags.profile === undefined ? {} : readProfile(flags.profile),
    ...(fetch ? { fetch } : {}),
    ...(rate === undefined ? {} : { ratePerMinute: rate }),
  };
}
