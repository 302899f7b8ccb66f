import type { ServiceRequest } from '../pipeline/exchange.ts';

/** The addresses of pages, which are not operations of the control API. This file is loaded at the start; the pages are loaded with the control API, at their first use. */

/** Reports whether a client wants a page. Browsers ask for text/html; other clients accept anything. */
export function wantsPage({ headers: { accept } }: Pick<ServiceRequest, 'headers'>): boolean {
  return typeof accept === 'string' && accept.includes('text/html');
}

/** Reports whether a browser opens the base URL. It gets the dashboard, because the service itself has nothing to show there. */
export function opensBaseUrl(request: ServiceRequest): boolean {
  return request.target === '/' && request.method === 'GET' && wantsPage(request);
}

/** Reports whether a request is for the page of a card. The links of cards, emails and deliveries lead there. */
export function isForCard({ method, target }: Pick<ServiceRequest, 'method' | 'target'>): boolean {
  return target.startsWith('/card/') && (method === 'GET' || method === 'HEAD');
}

/** Reports whether a request is for a page, or for a part of a page. */
export function isForPage(request: ServiceRequest): boolean {
  const path = pathOf(request);
  if (isForCard(request)) return true;
  if (request.method !== 'GET') return false;
  return path === '/__mock/' ? wantsPage(request) : /^\/__mock\/(ui\/|events$)/.test(path);
}

export function pathOf({ target }: Pick<ServiceRequest, 'target'>): string {
  return target.split('?', 1)[0] as string;
}
