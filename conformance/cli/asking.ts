import { createInterface } from 'node:readline/promises';
import { UsageError } from '../../command-line/usage-error.ts';
import { counted } from '../core/counted.ts';
import { isLocal } from '../core/target.ts';
import { Interrupted } from '../core/verdict.ts';
import { realTime, type Waiting, type WaitsFor } from '../http/rate.ts';
import type { Policy } from '../safety/policy.ts';
import type { Asked, Io } from './command-line.ts';

/** Real time, of whose longer pauses somebody is told. */
export function toldWaiting(told: (ms: number, why: WaitsFor) => void): Waiting {
  const sleep = (ms: number, why: WaitsFor) => {
    told(ms, why);
    return realTime.sleep(ms, why);
  };
  return { now: realTime.now, sleep };
}

/** Shows the plan and asks before anything is sent to somebody's account. Throws UsageError where nobody agrees, Interrupted where somebody ends it instead. */
export async function agreed({ flags, io }: Asked, url: string, policy: Policy, plan: string): Promise<void> {
  if (isLocal(url) || flags.yes) return;
  const told = `${url} is not on this machine. ${intent(policy)}\n${plan}${limits(policy)}`;
  if (!io.stdin?.isTTY)
    throw new UsageError(`${told}Nobody is here to agree to that, and nothing was sent. Say --yes to go on unasked.`);
  const lines = createInterface({ input: io.stdin });
  let brokenOff = false;
  const stop = () => {
    brokenOff = true;
    lines.close();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const name of signals) io.once?.(name, stop);
  try {
    io.stderr.write(`${told}Type yes to go on: `);
    const answer = await new Promise<string>((done) => {
      lines.once('line', done);
      lines.once('close', () => done(''));
    });
    if (brokenOff) throw new Interrupted();
    if (answer.trim().toLowerCase() !== 'yes') throw new UsageError('Nobody agreed, and nothing was sent.');
  } finally {
    for (const name of signals) io.off?.(name, stop);
    lines.close();
  }
}

const intent = ({ mode }: Policy): string =>
  mode === 'read-only'
    ? 'This run only looks, and changes nothing there.'
    : 'Cards that are created there are live ones; they are voided again, which cannot be undone.';

/** What the plan is held to, as a line; none where it is held to nothing. */
function limits({ mode, maxCreates, maxFaceValue, maxRequests, allow }: Policy): string {
  const most = [
    ...(mode !== 'read-only' && Number.isFinite(maxCreates) ? [counted(maxCreates, 'card')] : []),
    ...(mode !== 'read-only' && Number.isFinite(maxFaceValue) ? [`${maxFaceValue.toFixed(2)} on them in all`] : []),
    ...(Number.isFinite(maxRequests) ? [counted(maxRequests, 'request')] : []),
  ];
  const besides = allow.size > 0 ? `Allowed besides: ${[...allow].join(', ')}.\n` : '';
  return (most.length > 0 ? `Whatever comes, it does no more than this: ${most.join(', ')}.\n` : '') + besides;
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
