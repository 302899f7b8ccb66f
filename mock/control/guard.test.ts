import { describe, expect, test } from 'vitest';
import { isLoopbackHost } from '../domain/webhooks.ts';
import { cookieOf, guardRefusal, keptBytesOf } from './guard.ts';

const requestWith = (headers: Record<string, string>) => ({ method: 'POST', target: '/__mock/reset', headers, body: undefined });
const local = { hosts: [], token: undefined };
const open = { hosts: [], token: 'token-1' };

test.each([
  ['127.0.0.1:8460', {}],
  ['127.0.0.1', {}],
  ['127.8.9.10:80', {}],
  ['localhost:8460', {}],
  ['LOCALHOST:8460', {}],
  ['[::1]:8460', {}],
  ['localhost:8460', { origin: 'http://localhost:8460' }],
])('on loopback, %s with %o is allowed', (host, headers) => {
  expect(guardRefusal(requestWith({ host, ...headers }), local)).toBeUndefined();
});

test.each([
  ['a name that resolves to loopback', { host: 'rebound.example:8460' }],
  ['a name that only begins like ours', { host: 'localhost.example' }],
  ['a name that only ends like ours', { host: 'example.localhost' }],
  ['the name of a mock without a socket', { host: 'sandbox.invalid' }],
  ['an address within a name', { host: '127.0.0.1.example' }],
  ['another address', { host: '192.168.0.7:8460' }],
  ['no host', {}],
  ['a page of another origin', { host: 'localhost:8460', origin: 'https://page.example' }],
  ['a page of another port', { host: 'localhost:8460', origin: 'http://localhost:3000' }],
  ['a page without an origin', { host: 'localhost:8460', origin: 'null' }],
])('on loopback, %s is refused', (_, headers) => {
  const [status, message] = guardRefusal(requestWith(headers as Record<string, string>), local) ?? [];
  expect(status).toBe(403);
  expect(message).toMatch(/^[A-Z].*\.$/);
});

test('on other addresses, every host name needs the token', () => {
  expect(guardRefusal(requestWith({ host: 'mock:8460' }), open)?.[0]).toBe(401);
  expect(guardRefusal(requestWith({ host: '127.0.0.1:8460' }), open)?.[0]).toBe(401);
  for (const guess of ['token-2', 'token-11', 'töken-1', ''])
    expect(guardRefusal(requestWith({ host: 'mock:8460', 'x-sandbox-token': guess }), open)?.[0]).toBe(401);
  expect(guardRefusal(requestWith({ host: 'mock:8460', 'x-sandbox-token': 'token-1' }), open)).toBeUndefined();
});

test.each(['undefined', 'null', ''])('a missing header is not the token "%s"', (token) => {
  expect(guardRefusal(requestWith({ host: 'mock:8460' }), { ...open, token })?.[0]).toBe(401);
  const cookies = [{}, { cookie: 'undefined' }, { cookie: '' }];
  for (const headers of cookies)
    expect(guardRefusal({ ...requestWith({ host: 'mock:8460', ...headers }), method: 'GET' }, { ...open, token })?.[0]).toBe(401);
});

test('the cookie does not reveal the token', () => {
  expect(cookieOf('a secret')).not.toContain(encodeURIComponent('a secret'));
});

test('the health needs no token, but pages of other origins are refused', () => {
  const health = (headers: Record<string, string>) => ({
    ...requestWith({ host: 'mock:8460', ...headers }),
    method: 'GET',
    target: '/__mock/health',
  });
  expect(guardRefusal(health({}), open)).toBeUndefined();
  expect(guardRefusal({ ...health({}), target: '/__mock/healthy' }, open)?.[0]).toBe(401);
  expect(guardRefusal(health({ origin: 'https://page.example' }), open)?.[0]).toBe(403);
  expect(guardRefusal({ ...health({}), target: '/__mock/accounts' }, open)?.[0]).toBe(401);
});

test('a page of another origin may not, even with the token', () => {
  const headers = { host: 'mock:8460', 'x-sandbox-token': 'token-1', origin: 'https://page.example' };
  expect(guardRefusal(requestWith(headers), open)?.[0]).toBe(403);
});

describe('the cookie of the dashboard', () => {
  const cookie = `theme=dark; ${cookieOf('token-2')}; ${cookieOf('token-1')}`;
  const status = (headers: Record<string, string>, method = 'POST') =>
    guardRefusal({ ...requestWith({ host: 'mock:8460', ...headers }), method }, open)?.[0];

  test('replaces the token', () => {
    expect(status({ cookie }, 'GET')).toBeUndefined();
    expect(status({ cookie, origin: 'http://mock:8460' })).toBeUndefined();
    expect(status({ cookie, origin: 'https://mock:8460' })).toBeUndefined();
    const [name] = cookieOf('token-1').split('=', 1);
    for (const wrong of [cookieOf('token-2'), `${name}=token-2`, `${name}=`, `x${cookieOf('token-1')}`, 'other=token-1'])
      expect(status({ cookie: wrong }, 'GET')).toBe(401);
    const spaced = { ...open, token: 'a; b' };
    expect(guardRefusal({ ...requestWith({ host: 'mock', cookie: cookieOf('a; b') }), method: 'GET' }, spaced)).toBeUndefined();
  });

  test('changes nothing for a page of another origin', () => {
    expect(status({ cookie, origin: 'http://mock:3000' })).toBe(403);
    expect(status({ cookie, origin: 'http://mock:3000' }, 'GET')).toBe(403);
    expect(status({ cookie })).toBe(403);
  });
});

test('page, script, style sheet and cards need no token; the event stream does', () => {
  const read = (target: string, headers: Record<string, string> = {}) =>
    guardRefusal({ ...requestWith({ host: 'mock:8460', ...headers }), method: 'GET', target }, open)?.[0];
  for (const target of ['/__mock/', '/__mock/ui/dashboard.js', '/__mock/ui/dashboard.css', '/card/1/balance']) {
    expect([target, read(target)]).toEqual([target, undefined]);
    expect([target, read(target, { origin: 'https://page.example' })]).toEqual([target, 403]);
  }
  for (const target of ['/__mock/?a', '/__mock/events?account=main', '/__mock/ui/', '/__mock/ui/dashboard.js.map'])
    expect([target, read(target)]).toEqual([target, 401]);
});

test('the body of a refused request is not kept', () => {
  expect(keptBytesOf(requestWith({ host: 'mock:8460' }), open)).toBe(0);
  const allowed = requestWith({ host: 'mock:8460', 'x-sandbox-token': 'token-1' });
  expect(keptBytesOf(allowed, open)).toBe(1_048_576);
  expect(keptBytesOf({ ...allowed, target: '/__mock/accounts' }, open)).toBe(64 * 1_048_576);
  for (const target of ['/__mock/snapshot', '/__mock/accounts/main/snapshot'])
    expect(keptBytesOf({ ...allowed, target }, open)).toBe(500 * 1_048_576);
});

test('the sentence does not contain the token', () => {
  expect(guardRefusal(requestWith({ host: 'mock', 'x-sandbox-token': 'guess' }), open)?.[1]).not.toMatch(/token-1|guess/);
});

test.each([
  ['127.0.0.1', true],
  ['127.255.1.2', true],
  ['localhost', true],
  ['::1', true],
  ['[::ffff:7f00:1]', true],
  ['::ffff:127.0.0.1', true],
  ['[::ffff:a00:1]', false],
  ['0.0.0.0', false],
  ['::', false],
  ['', false],
  ['10.0.0.1', false],
  ['127.0.0.1.example', false],
])('%s means this machine alone: %s', (host, itself) => {
  expect(isLoopbackHost(host)).toBe(itself);
});
