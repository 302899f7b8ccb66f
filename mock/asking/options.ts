import type { Asked } from '../asked.ts';
import type { Answer } from '../exchange.ts';

/**
 * The answer to OPTIONS where a reading has one that asks for no key: the methods of the path (http.options), or what a browser wants to know
 * before it lets a page of another origin ask (http.cross-origin).
 */
export function toOptions({ request, contract, readings }: Asked): Answer | undefined {
  if (request.method !== 'OPTIONS') return undefined;
  const methods = contract.methodsOf(request.target, readings).join(', ');
  if (methods === '') return undefined;
  const { 'access-control-request-method': wanted, 'access-control-request-headers': names } = request.headers;
  if (readings['http.cross-origin'] === 'always' && wanted !== undefined) {
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': methods,
      'access-control-allow-headers': typeof names === 'string' ? names : '*',
    };
    return { status: 204, headers, body: '' };
  }
  return readings['http.options'] === 'no-content' ? { status: 204, headers: { allow: methods }, body: '' } : undefined;
}
