import { type ControlCall, callThrough, SandboxError } from '../../mock/client/call.ts';
import type { Health } from '../../mock/control/generated/types.ts';
import { text, type Values, valueIn, variableOf, wholeNumberIn } from '../flags.ts';
import type { Environment } from '../io.ts';
import { UsageError } from '../usage-error.ts';
import { DEFAULT_PORT } from './flags.ts';

/** A mock in another process. */
export interface RunningMock {
  /** Without a slash at the end. */
  readonly url: string;
  readonly controlUrl: string;
  /** Rejects with MockUnavailable. */
  readonly call: ControlCall;
}

/** The mock is unreachable or refuses a request, so the command ends with exit code 1. */
export class MockUnavailable extends UsageError {
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message, 1);
    this.status = status;
  }
}

export const addressFlags = {
  url: text('URL', `base URL of the running mock (default: ${local(DEFAULT_PORT)})`),
  'control-url': text('URL', 'address of the control API, if it has its own port'),
  'control-token': text('TEXT', 'the control token that the mock printed'),
};

export const addressNotes = `Environment variables: ${variableOf('url')} or ${variableOf('port')}, ${variableOf('control-port')}, ${variableOf('control-token')}.`;

/** Throws UsageError. */
export function runningMock(values: Values<typeof addressFlags>, environment: Environment): RunningMock {
  const [port = DEFAULT_PORT, controlPort] = ['port', 'control-port'].map((flag) => {
    const value = valueIn(environment, flag);
    return value === undefined ? undefined : wholeNumberIn([1, 65_535], value, variableOf(flag));
  });
  const url = addressOf(values.url ?? local(port), 'url');
  const controlUrl = addressOf(values['control-url'] ?? (controlPort ? local(controlPort) : url), 'control-url');
  const fetchInTime = (request: Request) => fetch(request, { signal: AbortSignal.timeout(5000) });
  const call = callThrough({ url: controlUrl, token: values['control-token'], fetch: fetchInTime });
  return {
    url,
    controlUrl,
    call: (id, input) =>
      call(id, input).catch((error: Error) => {
        if (error instanceof SandboxError) throw new MockUnavailable(error.message, error.status);
        throw new MockUnavailable(`${error.message} Start giftcard-sandbox mock, or correct --url.`);
      }),
  };
}

function local(port: number | string): string {
  return `http://127.0.0.1:${port}`;
}

function addressOf(address: string, flag: string): string {
  if (URL.canParse(address) && /^https?:/i.test(address)) return address.replace(/\/+$/, '');
  throw new UsageError(`--${flag} must be an address like ${local(DEFAULT_PORT)}, got "${address}".`);
}

/** Rejects with MockUnavailable if no mock responds within five seconds. */
export async function healthOf({ controlUrl, call }: RunningMock): Promise<Health> {
  const health: Partial<Health> = await call('getHealth').catch((error: MockUnavailable) => {
    if (error.status === undefined) throw error;
    throw new MockUnavailable(`${controlUrl} returns ${error.status}, check --control-url and --control-token: ${error.message}`);
  });
  // Another server at this address may return any value.
  if (Array.isArray(health.defects)) return health as Health;
  throw new MockUnavailable(`${controlUrl} has no control API of a mock; check --url and --control-url.`);
}
