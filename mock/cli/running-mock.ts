import { text, type Values, variableOf } from '../../command-line/flags.ts';
import type { Environment, Io } from '../../command-line/io.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { DEFAULT_PORT } from './flags.ts';

/** What the commands share that ask a running mock. */

/** The addresses of a mock and of its control API, without a slash at the end; the token opens the control API from other machines. */
export interface RunningMock {
  readonly url: string;
  readonly controlUrl: string;
  readonly token: string | undefined;
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
  return { url, controlUrl, token: values['control-token'] };
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

/** The control API's JSON answer. Throws MockUnavailable if nothing answers within five seconds, it is not a mock, or it refuses. */
export async function askControl(mock: RunningMock, path: string, method = 'GET'): Promise<unknown> {
  const { response: first, body: health } = await exchange(mock, HEALTH, 'GET');
  // A mock refuses its health only for an unknown host name, and then names its control API.
  if (!Array.isArray(health?.defects) && !isRefusal(health?.error)) throw notAMock(mock, first, health?.error);
  if (path === HEALTH && Array.isArray(health?.defects)) return health;
  const { response, body } = await exchange(mock, path, method);
  if (response.ok && body !== undefined) return body;
  throw typeof body?.error === 'string' ? new MockUnavailable(body.error) : notAMock(mock, response, undefined);
}

type Body = { readonly error?: unknown; readonly defects?: unknown } | null | undefined;

const HEALTH = 'health';
const isRefusal = (error: unknown) => typeof error === 'string' && /control (?:door|API)/.test(error);

async function exchange({ url, controlUrl, token }: RunningMock, path: string, method: string) {
  const headers = token === undefined ? {} : { 'x-sandbox-token': token };
  try {
    const response = await fetch(`${controlUrl}/__mock/${path}`, { method, headers, signal: AbortSignal.timeout(5000) });
    return { response, body: (await response.json().catch(() => undefined)) as Body };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    throw new MockUnavailable(
      `No mock answers at ${url} (${cause?.code ?? message}); start one with giftcard-sandbox mock, or name another with --url.`,
    );
  }
}

function notAMock({ controlUrl }: RunningMock, { status }: Response, error: unknown): MockUnavailable {
  const reason = typeof error === 'string' ? ` (${JSON.stringify(error.slice(0, 200))})` : '';
  return new MockUnavailable(
    `${controlUrl} answers ${status}${reason} and has no control API of a mock; check --url and --control-url.`,
  );
}
