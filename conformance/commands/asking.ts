import { createInterface } from 'node:readline/promises';
import type { Asked, Io } from '../command-line.ts';
import { realTime, type Waiting, type WaitsFor } from '../rate.ts';
import type { Policy } from '../safety/policy.ts';
import { isLocal, UsageError } from '../target.ts';
import { BrokenOff } from '../verdict.ts';

/** Real time, of whose longer pauses somebody is told. */
export function toldWaiting(told: (ms: number, why: WaitsFor) => void): Waiting {
  const sleep = (ms: number, why: WaitsFor) => {
    told(ms, why);
    return realTime.sleep(ms, why);
  };
  return { now: realTime.now, sleep };
}

/** Shows the plan and asks before anything is sent to somebody's account. Throws UsageError where nobody agrees, BrokenOff where somebody ends it instead. */
export async function agreed({ flags, io }: Asked, url: string, policy: Policy, plan: string): Promise<void> {
  if (isLocal(url) || flags.yes) return;
  const sentence = `${url} is not on this machine. ${intent(policy)}`;
  if (!io.stdin?.isTTY)
    throw new UsageError(`${sentence} Nobody is here to agree to that, and nothing was sent. Say --yes to go on unasked.`);
  const lines = createInterface({ input: io.stdin });
  let brokenOff = false;
  const stop = () => {
    brokenOff = true;
    lines.close();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const name of signals) io.once?.(name, stop);
  try {
    io.stderr.write(`${sentence}\n${plan}Type yes to go on: `);
    const answer = await new Promise<string>((done) => {
      lines.once('line', done);
      lines.once('close', () => done(''));
    });
    if (brokenOff) throw new BrokenOff();
    if (answer.trim().toLowerCase() !== 'yes') throw new UsageError('Nobody agreed, and nothing was sent.');
  } finally {
    for (const name of signals) io.off?.(name, stop);
    lines.close();
  }
}

function intent({ mode, maxCreates, maxFaceValue, maxRequests, allow }: Policy): string {
  if (mode === 'read-only') return `This run only looks: it sends at most ${maxRequests} requests there, and changes nothing.`;
  const cards = Number.isFinite(maxCreates)
    ? `at most ${maxCreates} live gift cards (${maxFaceValue.toFixed(2)} in all)`
    : 'many live gift cards';
  const requests = Number.isFinite(maxRequests) ? `at most ${maxRequests} requests` : 'as many requests as it needs';
  const besides = allow.size > 0 ? ` Allowed besides: ${[...allow].join(', ')}.` : '';
  return `This run creates ${cards} there, voids them again, which cannot be undone, and sends ${requests}.${besides}`;
}

/** A signal that is given when somebody breaks the run off. The second time, the process ends at once, and the ledger says what is left. */
export function interruptible(io: Io): { signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const stop = () => {
    done();
    io.stderr.write(
      'Breaking off: what was created is voided first. Once more ends at once; "sweep" then takes away what is left.\n',
    );
    controller.abort();
  };
  const done = () => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) io.off?.(name, stop);
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) io.once?.(name, stop);
  return { signal: controller.signal, done };
}
