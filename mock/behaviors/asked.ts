import type { Answer, ServiceRequest } from '../pipeline/exchange.ts';
import type { Fixture } from '../testing/fixture.ts';

/** The answer to a request with the first account's key, good in every respect but what is given. */
export function answerTo({ sandbox, account }: Fixture, given: Partial<ServiceRequest>): Answer {
  const key = account.keys[0]?.key;
  return sandbox.handle({
    method: 'GET',
    target: '/api/GiftCard/List',
    body: undefined,
    ...given,
    headers: { 'x-api-key': key, ...given.headers },
  }).answer;
}

/** Without a key. */
export const NO_KEY = { 'x-api-key': undefined };

/** A POST of this text. */
export function post(target: string, text: string): Partial<ServiceRequest> {
  return { method: 'POST', target, body: Buffer.from(text) };
}

/** Status and body, without the words of it: what stands in the place of a message. */
export function formOf({ status, mediaType, body }: ReturnType<Fixture['ask']>) {
  if (mediaType === '') return [status, ''];
  if (mediaType === 'text/plain') return [status, mediaType];
  return [status, mediaType, Object.keys(body as object)];
}

const plainText = (status: number) => [status, 'text/plain'];
export const empty = (status: number) => [status, ''];
const jsonMessage = (status: number) => [status, 'application/json', ['message']];
const problemDetails = (status: number) => [status, 'application/problem+json', ['title', 'status', 'detail']];

/** How the four usual forms of a refusal's body are seen. */
export function fourForms(status: number) {
  return {
    'plain-text': plainText(status),
    empty: empty(status),
    'json-message': jsonMessage(status),
    'problem-details': problemDetails(status),
  };
}
