import type { Asked } from '../../pipeline/context.ts';
import type { Answer } from '../../pipeline/exchange.ts';

/**
 * The answer to OPTIONS where a reading has one that asks for no key: the methods of the path (http.options), or what a browser wants to know
 * before it lets a page of another origin ask (http.cross-origin).
 */
export function toOptions({ request, contract, behaviors }: Asked): Answer | undefined {
  if (request.method !== 'OPTIONS') return undefined;
  const methods = contract.methodsOf(request.target, behaviors).join(', ');
  if (methods === '') return undefined;
  const { 'access-control-request-method': wanted, 'access-control-request-headers': names } = request.headers;
  if (behaviors['http.cross-origin'] === 'always' && wanted !== undefined) {
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': methods,
      'access-control-allow-headers': typeof names === 'string' ? names : '*',
    };
    return { status: 204, headers, body: '' };
  }
  return behaviors['http.options'] === 'no-content' ? { status: 204, headers: { allow: methods }, body: '' } : undefined;
}
