import type { StrangeAccount } from './account.ts';
import { nowhere, refuse } from './asking.ts';

export const listening = (on: StrangeAccount) => on.hooks.filter(({ failed }) => failed < 6);

export function register(on: StrangeAccount, body: Record<string, unknown>): unknown {
  const hookId = on.service.number();
  if (!body.url) throw refuse('where to?', 422);
  on.hooks.push({
    hookId,
    target: String(body.url),
    secret: body.requestHeaderVerificationToken,
    label: body.description,
    failed: 0,
  });
  void fetch(String(body.url), on.service.ways.looks).catch(() => undefined);
  return 'noted';
}

export function registered(on: StrangeAccount): unknown {
  return { hooks: listening(on).map(({ hookId, target, label }) => ({ hookId, target, label, state: 'ok' })) };
}

export function remove(on: StrangeAccount, named: string | undefined): unknown {
  if (!listening(on).some(({ hookId }) => String(hookId) === named)) throw nowhere();
  on.hooks = on.hooks.filter(({ hookId }) => String(hookId) !== named);
  return null;
}
