import { listPath } from '../core/card-list.ts';
import { probe, somethingElse } from '../core/clause.ts';
import { accepted, giftCard } from '../core/expect.ts';
import { formOf, statusOf, taken } from '../core/form.ts';
import type { Trial } from '../core/trial.ts';
import type { Ask } from '../http/exchange.ts';
import { list } from '../scenarios/lists.ts';
import { plainCard, purse } from '../scenarios/shared-cards.ts';

const listIsTaken = (t: Trial) => t.control('the plain list', async () => accepted(await list(t, { pageSize: 1 }), 'it'));

/** A request for the list that is odd in one respect; that the plain one is answered is its control. */
async function oddList(t: Trial, what: string, ask: Partial<Ask>) {
  await listIsTaken(t);
  return t.send(what, { method: 'GET', path: listPath, odd: true, ...ask });
}

/** A path of no endpoint. */
const nowhere = (t: Trial, ask: Partial<Ask> = {}) =>
  t.send('GET a path of no endpoint', { method: 'GET', path: `/api/${t.run.ledger.fresh('Nowhere')}`, odd: true, ...ask });

probe('http.version-headers', {}, async (t) => {
  const names = ['api-version', 'x-api-version', 'x-version', 'accept-version'];
  const answer = await oddList(t, `list with ${names.join(', ')}`, {
    headers: Object.fromEntries(names.map((name) => [name, '9'])),
  });
  return taken(answer, 'refused', 'ignored');
});

probe('http.unknown-path-without-key', {}, async (t) => {
  await listIsTaken(t);
  return statusOf(await nowhere(t, { key: null }), '401', '404');
});

probe('http.unknown-path-body', {}, async (t) => {
  await listIsTaken(t);
  return formOf(await nowhere(t));
});

const patched = (t: Trial) => oddList(t, 'PATCH the list', { method: 'PATCH' });

probe('http.wrong-method-status', {}, async (t) => statusOf(await patched(t), '405', '404'));

probe('http.wrong-method-body', {}, async (t) => formOf(await patched(t)));

probe('http.wrong-method-allow-header', {}, async (t) => {
  const { status, headers } = await patched(t);
  if (/\bGET\b/.test(headers.allow ?? '')) return 'named';
  return (status === 405 || status === 404) && headers.allow === undefined
    ? 'left-out'
    : somethingElse(`answers ${status}, Allow: ${headers.allow}`);
});

probe('http.head', {}, async (t) => {
  const { status } = await oddList(t, 'HEAD the list', { method: 'HEAD' });
  if (status === 200) return 'like-get';
  // Which status that has is a question of its own.
  return status === 405 || status === (await patched(t)).status ? 'method-not-allowed' : somethingElse(`answers ${status}`);
});

probe('http.options', {}, async (t) => {
  const { status } = await oddList(t, 'OPTIONS of the list', { method: 'OPTIONS' });
  if (status === 404) return 'not-found';
  if (status === 405) return 'method-not-allowed';
  return status === 204 ? 'no-content' : somethingElse(`answers ${status}`);
});

probe('http.cross-origin', {}, async (t) => {
  const origin = 'https://page.example.com';
  const read = await oddList(t, 'list for a page of another origin', { headers: { origin } });
  const preflight = await t.send('ask before a page of another origin does', {
    method: 'OPTIONS',
    path: listPath,
    key: null,
    odd: true,
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' },
  });
  const allowed = [read, preflight].map(({ headers }) => ['*', origin].includes(headers['access-control-allow-origin'] ?? ''));
  if (allowed.every(Boolean) && preflight.status < 300) return 'always';
  return allowed.some(Boolean) ? somethingElse(`the list ${allowed[0]}, the question before it ${allowed[1]}`) : 'never';
});

probe('http.trailing-slash', {}, async (t) => {
  const { status } = await oddList(t, 'list with a slash at the end', { path: `${listPath}/` });
  if (status === 200) return 'same-path';
  return status === 404 ? 'another-path' : somethingElse(`answers ${status}`);
});

probe('http.path-letter-case', {}, async (t) => {
  const { status } = await oddList(t, 'list in small letters', { path: listPath.toLowerCase() });
  if (status === 200) return 'ignored';
  return status === 404 ? 'counts' : somethingElse(`answers ${status}`);
});

probe('http.repeated-parameter', {}, async (t) => {
  // Two cards have to be there, so that the sizes show.
  await plainCard(t);
  await purse(t);
  const answer = await oddList(t, 'list with two page sizes', { path: `${listPath}?pageSize=1&pageSize=2` });
  if (answer.status === 400) return 'refused';
  if (answer.status !== 200) return somethingElse(`answers ${answer.status}`);
  const { giftCards } = giftCard(answer, 'a page');
  const size = Array.isArray(giftCards) ? giftCards.length : undefined;
  if (size === 1) return 'first';
  return size === 2 ? 'last' : somethingElse(`a page of ${size}`);
});
