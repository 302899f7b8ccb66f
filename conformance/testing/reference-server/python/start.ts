import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Profile } from '../../../core/target.ts';

/** What the server prints when it is ready; the part of it that a profile is made of. */
interface Started {
  readonly url: string;
  readonly keys: { readonly main: string; readonly other: string; readonly basic: string; readonly deleted: string };
  readonly world: {
    readonly main: {
      readonly codes: Readonly<
        Record<'voucher' | 'expired' | 'redeemed' | 'scheduled' | 'deleted' | 'storeCredit' | 'active', string>
      >;
      readonly deletedRecipient: string;
      readonly events: { readonly created: string; readonly usedUp: string };
      readonly sources: readonly { readonly platform: string; readonly ref: string; readonly code: string }[];
    };
  };
}

interface Running {
  readonly url: string;
  readonly key: string;
  readonly profile: Profile;
  close(): Promise<void>;
}

/** Starts the server in Python on a port of its own. It limits the rate where one is given, in requests per minute. */
export async function startPython({ rate = 0 } = {}): Promise<Running> {
  const args = ['-B', '-m', 'server', '--port', '0', '--lab-hooks', '--rate', String(rate)];
  const child = spawn('python3', args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] });
  const { url, keys, world } = await firstLine(child);
  const { codes, deletedRecipient, events, sources } = world.main;
  const [source] = sources;
  return {
    url,
    key: keys.main,
    profile: {
      secondKey: keys.other,
      deletedKey: keys.deleted,
      basicKey: keys.basic,
      proKey: keys.main,
      enterpriseKey: keys.other,
      keyDescription: 'Till integration',
      voucherCode: codes.voucher,
      expiredCode: codes.expired,
      redeemedCode: codes.redeemed,
      scheduledCode: codes.scheduled,
      deletedCode: codes.deleted,
      deletedRecipient,
      storeCreditCode: codes.storeCredit,
      ...(source ? { channelCard: { code: source.code, source: source.platform, sourceId: source.ref } } : {}),
      defaultExpiryDays: 730,
      secondDefaultExpiryDays: 0,
      playMoney: true,
      generatedCodePattern: '^BK.{4}-.{4}$',
      automationEvent: { name: events.created, amount: 15, hasInactive: true, hasOtherTrigger: true },
      usedUpAutomationEvent: events.usedUp,
      secondAutomationEvent: events.created,
      timesShownExactly: true,
      noRateLimit: rate === 0,
      clock: { advance: { method: 'POST', url: '/clock', body: { seconds: '{seconds}' } } },
      receiver: {},
    },
    close: async () => {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function firstLine(child: ChildProcessByStdio<null, Readable, null>): Promise<Started> {
  const failed = once(child, 'error').then(([error]) => {
    throw new Error(`python3 could not be started, which the tests need: ${(error as Error).message}`);
  });
  const line = once(createInterface(child.stdout), 'line').then(([text]) => JSON.parse(text) as Started);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The server in Python ended with ${code} before it was ready.`);
  });
  return Promise.race([line, failed, ended]);
}
