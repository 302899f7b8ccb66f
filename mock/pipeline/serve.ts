import type { Account } from '../account/account.ts';
import { elapsed } from '../account/clock.ts';
import type { KeyHolder } from '../account/keys.ts';
import type { Sandbox } from '../account/sandbox.ts';
import { withFault } from '../faults/break-response.ts';
import { identify } from './authenticate.ts';
import { catchUp, lockAccount } from './commit.ts';
import type { ServiceRequest } from './exchange.ts';
import { handle, type Service } from './handle.ts';
import type { HandledRequest } from './handled-request.ts';
import { isRefused, type Refusal } from './refusal.ts';

type LoggingService = Service & Pick<Sandbox, 'journal' | 'log'>;

/** Handles a request. If many events of its account are due, the request waits until they have run, as do later requests of the account. */
export function serve(service: LoggingService, request: ServiceRequest): HandledRequest | Promise<HandledRequest> {
  const owner = identify(service.accounts.keyHolders, request);
  const waiting = isRefused(owner) ? undefined : (catchUp(owner.account) ?? sourcesOf(owner.account, request));
  return waiting ? waiting.then(() => serve(service, request)) : serveNow(service, request, owner);
}

/** Handles a request, then records the request, its changes and its response. */
export function serveNow(service: LoggingService, request: ServiceRequest, owner?: KeyHolder | Refusal): HandledRequest {
  const started = elapsed();
  const handled = withFault(handle(service, request, owner));
  const milliseconds = elapsed() - started;
  record(service, request, handled, milliseconds);
  service.log.request(request, handled, milliseconds, service.accounts.keyHolders.redactor);
  return handled;
}

/** Records a request in a journal. If the recording fails, the client still gets its response. */
function record(service: LoggingService, request: ServiceRequest, handled: HandledRequest, milliseconds: number): void {
  try {
    const account = service.accounts.get(handled.accountId ?? '');
    const { journal } = account ?? service;
    const cause = handled.cause ?? journal.cause('request', 'refused', handled.at);
    journal.exchanged(request, handled, cause, milliseconds, account?.state);
  } catch (error) {
    service.defect(error, request);
  }
}

/** Builds the index for a search by source ID. For a small account, the search itself builds the index. */
function sourcesOf(account: Account, { target }: ServiceRequest): Promise<void> | undefined {
  const { state, effects } = account;
  const isSearch = !effects.stopped && !state.hasSources && target.includes('SourceId') && state.count(true) > 10_000;
  if (!isSearch) return undefined;
  return lockAccount(account, state.indexSources()).catch((error) => {
    if (!effects.stopped) throw error; // The account was replaced. Then the request is for the new account.
  });
}
