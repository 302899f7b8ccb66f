import { text, type Values, variableOf } from '../../command-line/flags.ts';
import type { Environment, Io } from '../../command-line/io.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { type ControlClient, createControlClient } from '../client/call.ts';
import type { Reply } from '../control/operation-types.ts';
import { DEFAULT_PORT } from './flags.ts';

/** A mock that another process runs. The addresses have no slash at the end. */
export interface RunningMock {
  readonly url: string;
  readonly controlUrl: string;
  readonly client: ControlClient;
}

/** The mock is unreachable or refuses, for the reason in the message. */
export class MockUnavailable extends Error {}

export const addressFlags = {
  url: text('URL', `base URL of the running mock (default: ${local(DEFAULT_PORT)})`),
  'control-url': text('URL', 'address of its control API, if that has its own port'),
  'control-token': text('TEXT', 'the control token that the mock printed'),
};

export const addressNotes = `In the environment: ${variableOf('url')} or ${variableOf('port')}, ${variableOf('control-port')}, ${variableOf('control-token')}.`;

/** Throws UsageError. */
export function runningMock(values: Values<typeof addressFlags>, environment: Environment): RunningMock {
  const port = environment[variableOf('port')] || DEFAULT_PORT;
  const url = addressOf(values.url ?? local(port), 'url');
  const controlPort = environment[variableOf('control-port')];
  const controlUrl = addressOf(values['control-url'] ?? (controlPort ? local(controlPort) : url), 'control-url');
  const fetchInTime = (request: Request) => fetch(request, { signal: AbortSignal.timeout(5000) });
  const client = createControlClient({ url: controlUrl, token: values['control-token'], fetch: fetchInTime });
  return { url, controlUrl, client };
}

function local(port: number | string): string {
  return `http://127.0.0.1:${port}`;
}

function addressOf(address: string, flag: string): string {
  if (URL.canParse(address) && /^https?:/i.test(address)) return address.replace(/\/+$/, '');
  throw new UsageError(`--${flag} must be an address like ${local(DEFAULT_PORT)}, got "${address}".`);
}

/** Writes what `work` resolves with; resolves with the exit code: 0, or 1 for MockUnavailable. */
export async function printFrom({ stdout, stderr }: Io, work: () => Promise<string>): Promise<number> {
  try {
    stdout.write(await work());
    return 0;
  } catch (error) {
    if (!(error instanceof MockUnavailable)) throw error;
    stderr.write(`${error.message}\n`);
    return 1;
  }
}

/** Throws MockUnavailable if nothing answers within five seconds, it is not a mock, or it refuses. */
export async function healthOf({ url, controlUrl, client }: RunningMock): Promise<Reply<'getHealth'>> {
  const { data, error, response } = await client.GET('/health').catch(({ cause, message }: Error & Caused) => {
    throw new MockUnavailable(
      `No mock answers at ${url} (${cause?.code ?? message}); start one with giftcard-sandbox mock, or name another with --url.`,
    );
  });
  // Another server may answer anything.
  if (Array.isArray(data?.defects)) return data as unknown as Reply<'getHealth'>;
  const reason: unknown = error?.error;
  // A mock refuses its health only for an unknown host name, and then names its control API.
  if (typeof reason === 'string' && /control (?:door|API)/.test(reason)) throw new MockUnavailable(reason);
  const answer = typeof reason === 'string' ? ` (${JSON.stringify(reason.slice(0, 200))})` : '';
  throw new MockUnavailable(
    `${controlUrl} answers ${response.status}${answer} and has no control API of a mock; check --url and --control-url.`,
  );
}

interface Caused {
  readonly cause?: { readonly code?: string };
}

/** The data of an answer. Throws MockUnavailable if the mock refused. */
export function dataOf<T>({ data, error }: { readonly data?: unknown; readonly error?: { readonly error: string } }): T {
  if (error) throw new MockUnavailable(error.error);
  return data as T;
}
