import type { operations } from '../control/generated/types.ts';
import type { Input, Reply } from '../control/handed.ts';

/** What the sandbox refused to do, with the sentence that the control door says; nothing was changed. */
export class SandboxError extends Error {
  /** The door's HTTP status. */
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.name = 'SandboxError';
    this.status = status;
  }
}

/** Calls an operation of the control door by its operationId. Rejects with SandboxError where the door refuses. */
export type Call = <Id extends keyof operations>(id: Id, input?: Partial<Input<Id>>) => Promise<Reply<Id>>;

type Ask = (url: string, init: RequestInit) => Promise<Response>;

/** Calls through `ask`, a fetch that reaches the door at `base`. The door's document is loaded for the first call. */
export function callThrough(ask: Ask, base: string, token?: string): Call {
  return async (id, { path = {}, query = {}, body }: { path?: object; query?: object; body?: unknown } = {}) => {
    const { operations } = await import('../control/route.ts');
    const operation = operations.find((each) => each.id === id);
    if (!operation) throw new Error(`The control door has no operation ${id}.`);
    const values = path as Readonly<Record<string, string>>;
    const target = operation.path.replace(/\{(.+?)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
    const answer = await ask(`${base}${target}${search.size > 0 ? `?${search}` : ''}`, {
      method: operation.method,
      headers: token === undefined ? {} : { 'x-sandbox-token': token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error & { cause?: { code?: string } }) => {
      throw new Error(`No sandbox answers at ${base} (${error.cause?.code ?? error.message}).`, { cause: error });
    });
    const text = await answer.text();
    if (!answer.ok) throw new SandboxError(answer.status, sentenceIn(text));
    return (operation.mediaType?.endsWith('json') ? JSON.parse(text) : text) as never;
  };
}

/** The door's sentence; what is no answer of a door is told as it stands. */
function sentenceIn(text: string): string {
  try {
    return (JSON.parse(text) as { error: string }).error;
  } catch {
    return `What answers is no control door of a sandbox; give connectSandbox the sandbox's base URL. It says: ${text.slice(0, 200)}`;
  }
}
