import type { Behaviors } from '../../openapi/generated/clauses.ts';
import { LARGEST_BODY } from '../server/http.ts';
import { isElsewhere, refusedTo } from './authenticate.ts';
import type { Asked } from './context.ts';
import type { RateWindow } from './rate-limit.ts';
import { type Refusal, refuse, refused } from './refusal.ts';

/** Why a request is refused at this point; undefined lets it pass. */
export type Step = (asked: Asked) => Refusal | undefined;

/**
 * What may be refused before anything is decided, in its order: by default the body's size, the key, the rate, and what is asked. A reading brings
 * one step just ahead of another, and turns nothing else round.
 */
export function orderOf(behaviors: Behaviors): readonly Step[] {
  const order = [size, key, rate, sense];
  for (const [step, other, isAhead] of [
    [key, size, behaviors['http.order.size-or-key'] === 'key'],
    [rate, key, behaviors['http.order.key-or-limit'] === 'limit'],
    [sense, rate, behaviors['http.order.limit-or-request'] === 'request'],
  ] as const) {
    if (!isAhead) continue;
    order.splice(order.indexOf(step), 1);
    order.splice(order.indexOf(other), 0, step);
  }
  return order;
}

const size: Step = ({ request: { body }, behaviors }) => {
  if (body === undefined) return undefined;
  const isTooLarge = body === 'too large' || (body.length > LARGEST_BODY && behaviors['http.body-size-limit'] === '1-mebibyte');
  return isTooLarge ? refuse('request.too-large') : undefined;
};

const key: Step = ({ identified, found, behaviors, request, service }) => {
  if (refused(identified)) {
    const isNowhere = refused(found) && found.code === 'operation.unknown-path';
    return isNowhere && behaviors['http.unknown-path-without-key'] === '404' ? found : identified;
  }
  return isElsewhere(identified, request, service.accounts) ? refuse('auth.key-unknown') : refusedTo(identified);
};

/** limits.rate-covers-every-endpoint. Who asks without a key has a rate only where such requests count. */
const rate: Step = (asked) => {
  const { holder, behaviors, now } = asked;
  if (!holder && behaviors['limits.keyless-requests-count'] === 'no') return undefined;
  return windowOf(asked).isFull(now, behaviors['limits.rate-window']) ? refuse('rate.exceeded') : undefined;
};

const sense: Step = (asked) => {
  const { found, contract, request, asking } = asked;
  if (asking?.['http.version-headers'] === 'refused') {
    const header = VERSION_HEADERS.find((name) => request.headers[name] !== undefined);
    if (header !== undefined) return refuse('request.invalid', `${header} asks for a version, and there is none`);
  }
  if (refused(found)) return found;
  if (request.body === 'too large') return refuse('request.too-large'); // of which nothing was kept that could be read
  const input = contract.read(found, request, asking);
  if (refused(input)) return input;
  asked.input = input;
  return undefined;
};

/** Under these names other services are asked for a version; no name is given here (http.version-headers). */
const VERSION_HEADERS = ['api-version', 'x-api-version', 'x-version', 'accept-version'];

/**
 * limits.rate-scope: one window for all keys of an account, or one for each key or address; limits.rate-shared: for all endpoints, or for each. Who is
 * not known is counted by address.
 */
export function windowOf({ service, holder, behaviors, found, request: { address = '' } }: Asked): RateWindow {
  if (!holder) return service.rates.of(`address ${address}`);
  const { rates } = holder.account;
  const scope = behaviors['limits.rate-scope'];
  const whose = scope === 'account' ? '' : scope === 'key' ? `key ${holder.key.key}` : `address ${address}`;
  if (behaviors['limits.rate-shared'] === 'together') return rates.of(whose);
  return rates.of(`${whose || 'account'} at ${refused(found) ? 'nowhere' : found.operation.id}`);
}

/** Whether a request that came to this end takes a place in its minute, so that whoever waits is answered (limits.rate-recovers). */
export function counts(behaviors: Behaviors, refusal: Refusal | undefined): boolean {
  if (!refusal) return true;
  if (refusal.code === 'request.too-large') return false; // turned away before anybody looked at it
  if (refusal.code === 'rate.exceeded') return behaviors['limits.refused-requests-count'] === 'yes';
  if (refusal.code.startsWith('auth.')) return behaviors['limits.keyless-requests-count'] === 'yes';
  return behaviors['limits.rejected-requests-count'] === 'yes';
}
