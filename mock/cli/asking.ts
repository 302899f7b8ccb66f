import { DEFAULT_PORT, type Environment, fromEnvironment, type Io, parseFlags, twin, UsageError } from './command-line.ts';

/** What the commands share that ask a running mock. */

/** Where the running mock and its control door are, without a slash at the end, and what opens the door beyond this machine. */
export interface Where {
  readonly url: string;
  readonly controlUrl: string;
  readonly token: string | undefined;
}

/** The mock does not give what was asked for, for the reason in the sentence. */
export class NotGiven extends Error {}

export const sharedHelp = `  --url URL              the running mock (${here(DEFAULT_PORT)})
  --control-url URL      its control door, where that has a port of its own
  --control-token TEXT   what the mock printed, when it listens beyond this machine
  --help                 this text

In the environment: ${twin('url')} or ${twin('port')}, ${twin('control-port')}, ${twin('control-token')}.
`;

/** Runs a command that answers with what it says on stdout; resolves with the exit code: 0, 1 for NotGiven, 2 for UsageError. */
export async function command({ stdout, stderr }: Io, work: () => Promise<string>): Promise<number> {
  try {
    stdout.write(await work());
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof NotGiven)) throw error;
    stderr.write(`${error.message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** The values of a command's own flags, and where its mock is. Throws UsageError. */
export function readFlagsOf<F extends Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>>(
  name: string,
  flags: F,
  argv: readonly string[],
  env: Environment,
) {
  const shared = {
    url: { type: 'string' },
    'control-url': { type: 'string' },
    'control-token': { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  const given = parseFlags(name, { ...flags, ...shared }, argv);
  const text = (flag: keyof F | keyof typeof shared) => given[flag as string] as string | undefined;
  const set = (flag: keyof F | keyof typeof shared) => given[flag as string] === true;
  const said = (flag: string) => fromEnvironment(flag, env);
  const url = addressIn(text('url') ?? said('url') ?? here(said('port') ?? DEFAULT_PORT), 'url');
  const controlPort = said('control-port');
  const controlUrl = addressIn(text('control-url') ?? (controlPort === undefined ? url : here(controlPort)), 'control-url');
  const where: Where = { url, controlUrl, token: text('control-token') ?? said('control-token') };
  return { where, text, set };
}

function here(port: number | string): string {
  return `http://127.0.0.1:${port}`;
}

function addressIn(text: string, flag: string): string {
  if (URL.canParse(text) && /^https?:/i.test(text)) return text.replace(/\/+$/, '');
  throw new UsageError(`"${text}" is no address of a mock; give one like ${here(DEFAULT_PORT)} with --${flag}.`);
}

/** What the control door answers, as JSON. Throws NotGiven where nobody answers within five seconds, who answers is no mock, or it refuses. */
export async function ask(where: Where, path: string, method = 'GET'): Promise<unknown> {
  const { answer: health, body: told } = await exchanged(where, HEALTH, 'GET');
  // Of its health a mock refuses nobody but who comes by a strange name, and then speaks of its door.
  if (!Array.isArray(told?.defects) && !isRefusal(told?.error)) throw noMock(where, health, told?.error);
  if (path === HEALTH && Array.isArray(told?.defects)) return told;
  const { answer, body } = await exchanged(where, path, method);
  if (answer.ok && body !== undefined) return body;
  throw typeof body?.error === 'string' ? new NotGiven(body.error) : noMock(where, answer, undefined);
}

type Body = { readonly error?: unknown; readonly defects?: unknown } | null | undefined;

const HEALTH = 'health';
const isRefusal = (error: unknown) => typeof error === 'string' && /control door/.test(error);

async function exchanged({ url, controlUrl, token }: Where, path: string, method: string) {
  const headers = token === undefined ? {} : { 'x-sandbox-token': token };
  let answer: Response;
  try {
    answer = await fetch(`${controlUrl}/__mock/${path}`, { method, headers, signal: AbortSignal.timeout(5000) });
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    const reason = cause?.code ?? message;
    throw new NotGiven(
      `No mock answers at ${url} (${reason}); start one with giftcard-sandbox mock, or name another with --url.`,
    );
  }
  return { answer, body: (await answer.json().catch(() => undefined)) as Body };
}

function noMock({ controlUrl }: Where, { status }: Response, error: unknown): NotGiven {
  const says = typeof error === 'string' ? ` (${JSON.stringify(error.slice(0, 200))})` : '';
  return new NotGiven(
    `No mock answers there: ${controlUrl} answers ${status}${says} and has no control door of a mock; look at --url and --control-url.`,
  );
}
