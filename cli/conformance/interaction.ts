import { createInterface } from 'node:readline/promises';
import { formatCount } from '../../conformance/core/text.ts';
import type { Policy } from '../../conformance/safety/policy.ts';
import { UsageError } from '../usage-error.ts';
import { interruptible, type SuiteIo } from './context.ts';
import type { TestTarget } from './target.ts';

/** Asks the user before a command sends anything to a remote target. Throws UsageError unless the user agrees. */
export async function confirmRemoteRun(
  { io, target: { url }, trust, policy, ledger, yes }: TestTarget,
  plan: string,
): Promise<void> {
  ledger.ready();
  if (trust.place !== 'remote' || yes) return;
  const what = trust.service === url ? 'a remote target' : `a proxy to the remote target ${trust.service}`;
  const question = `${url} is ${what}. ${intent(policy)}\n${plan}${limits(policy)}`;
  if (!io.stdin?.isTTY)
    throw new UsageError(`${question}There is no terminal, so nothing was sent. Use --yes to run without a question.`);
  io.stderr.write(`${question}Type yes to run: `);
  const line = await nextLine(io, io.stdin);
  if (line.trim().toLowerCase() !== 'yes') throw new UsageError('You did not type yes, so nothing was sent.');
}

/** Returns the next line, or an empty text at the end of the input. Throws UsageError if the user interrupts. */
async function nextLine(io: SuiteIo, input: NodeJS.ReadableStream): Promise<string> {
  const { signal, done } = interruptible(io);
  const lines = createInterface({ input, signal });
  const { value } = await lines[Symbol.asyncIterator]().next();
  done();
  lines.close();
  if (signal.aborted) throw new UsageError('Interrupted before anything was sent.', 130);
  return value ?? '';
}

const intent = ({ mode }: Policy): string =>
  mode === 'read-only'
    ? 'The run changes nothing on this target.'
    : 'The run creates live cards on this target and voids them. This cannot be undone.';

function limits({ maxCreates, maxFaceValue, maxRequests, allow }: Policy): string {
  const most = [
    ...(Number.isFinite(maxCreates) ? [formatCount(maxCreates, 'card')] : []),
    ...(Number.isFinite(maxFaceValue) ? [`a face value of ${maxFaceValue.toFixed(2)}`] : []),
    ...(Number.isFinite(maxRequests) ? [formatCount(maxRequests, 'request')] : []),
  ];
  const allowed = allow.size > 0 ? `Allowed effects: ${[...allow].join(', ')}.\n` : '';
  return (most.length > 0 ? `Limits: ${most.join(', ')}.\n` : '') + allowed;
}
