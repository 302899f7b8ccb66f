import { createInterface } from 'node:readline/promises';
import { UsageError } from '../../command-line/usage-error.ts';
import { isLocal } from '../core/target.ts';
import { formatCount } from '../core/text.ts';
import { Interrupted } from '../core/verdict.ts';
import type { Policy } from '../safety/policy.ts';
import { type Io, signals } from './context.ts';
import type { TestTarget } from './target.ts';

/** Asks before anything is sent to a remote target. Throws UsageError if the user does not agree, Interrupted on a signal. */
export async function confirmRemoteRun(
  { io, target: { url }, policy, ledger }: TestTarget,
  yes: boolean | undefined,
  plan: string,
): Promise<void> {
  ledger.ready();
  if (isLocal(url) || yes) return;
  const question = `${url} is a remote target. ${intent(policy)}\n${plan}${limits(policy)}`;
  if (!io.stdin?.isTTY)
    throw new UsageError(`${question}There is no terminal to ask on, so nothing was sent. Use --yes to run without a question.`);
  io.stderr.write(`${question}Type yes to run: `);
  const answer = await lineFrom(io, io.stdin);
  if (answer === undefined) throw new Interrupted();
  if (answer.trim().toLowerCase() !== 'yes') throw new UsageError('The answer was not yes, so nothing was sent.');
}

/** The next line; undefined on a signal. */
async function lineFrom(io: Io, input: NodeJS.ReadableStream): Promise<string | undefined> {
  const lines = createInterface({ input });
  let isInterrupted = false;
  const stop = () => {
    isInterrupted = true;
    lines.close();
  };
  for (const name of signals) io.once?.(name, stop);
  try {
    const line = await new Promise<string>((done) => {
      lines.once('line', done);
      lines.once('close', () => done(''));
    });
    return isInterrupted ? undefined : line;
  } finally {
    for (const name of signals) io.off?.(name, stop);
    lines.close();
  }
}

const intent = ({ mode }: Policy): string =>
  mode === 'read-only'
    ? 'The run changes nothing there.'
    : 'Cards that the run creates there are live. It voids them, which cannot be undone.';

function limits({ mode, maxCreates, maxFaceValue, maxRequests, allow }: Policy): string {
  const most = [
    ...(mode !== 'read-only' && Number.isFinite(maxCreates) ? [formatCount(maxCreates, 'card')] : []),
    ...(mode !== 'read-only' && Number.isFinite(maxFaceValue) ? [`a face value of ${maxFaceValue.toFixed(2)}`] : []),
    ...(Number.isFinite(maxRequests) ? [formatCount(maxRequests, 'request')] : []),
  ];
  const allowed = allow.size > 0 ? `Allowed effects: ${[...allow].join(', ')}.\n` : '';
  return (most.length > 0 ? `Limits: ${most.join(', ')}.\n` : '') + allowed;
}

/** A signal that the first interrupt aborts. The second one ends the process; the ledger then lists the leftovers. */
export function interruptible(io: Io): { signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const stop = () => {
    done();
    io.stderr.write('Interrupted: voiding the created cards. Interrupt again to end at once; then run sweep.\n');
    controller.abort();
  };
  const done = () => {
    for (const name of signals) io.off?.(name, stop);
  };
  for (const name of signals) io.once?.(name, stop);
  return { signal: controller.signal, done };
}
