import { expect, test } from 'vitest';
import { isLoopback } from '../domain/webhooks.ts';
import { type Guard, mustBeAllowed } from './guard.ts';
import type { ControlError } from './resources.ts';

const asked = (headers: Record<string, string>) => ({ method: 'POST', target: '/__mock/reset', headers, body: undefined });
function rejectionOf(request: Parameters<typeof mustBeAllowed>[0], guard: Guard): ControlError | undefined {
  try {
    return mustBeAllowed(request, guard) as undefined;
  } catch (error) {
    return error as ControlError;
  }
}
const local = { hosts: ['sandbox.invalid'], token: undefined };
const open = { hosts: ['sandbox.invalid'], token: 'token-1' };

test.each([
  ['127.0.0.1:8460', {}],
  ['127.0.0.1', {}],
  ['127.8.9.10:80', {}],
  ['localhost:8460', {}],
  ['LOCALHOST:8460', {}],
  ['[::1]:8460', {}],
  ['sandbox.invalid', {}],
  ['localhost:8460', { origin: 'http://localhost:8460' }],
])('on loopback, %s with %o is allowed', (host, headers) => {
  expect(rejectionOf(asked({ host, ...headers }), local)).toBeUndefined();
});

test.each([
  ['a name that resolves to loopback', { host: 'rebound.example:8460' }],
  ['a name that only begins like ours', { host: 'localhost.example' }],
  ['a name that only ends like ours', { host: 'example.localhost' }],
  ['an address within a name', { host: '127.0.0.1.example' }],
  ['another address', { host: '192.168.0.7:8460' }],
  ['no host', {}],
  ['a page of another origin', { host: 'localhost:8460', origin: 'https://page.example' }],
  ['a page of another port', { host: 'localhost:8460', origin: 'http://localhost:3000' }],
  ['a page without an origin', { host: 'localhost:8460', origin: 'null' }],
])('on loopback, %s is refused', (_, headers) => {
  const { status, message } = rejectionOf(asked(headers as Record<string, string>), local) ?? {};
  expect(status).toBe(403);
  expect(message).toMatch(/^[A-Z].*\.$/);
});

test('on other addresses, every host name needs the token', () => {
  expect(rejectionOf(asked({ host: 'mock:8460' }), open)?.status).toBe(401);
  expect(rejectionOf(asked({ host: '127.0.0.1:8460' }), open)?.status).toBe(401);
  for (const guess of ['token-2', 'token-11', 'töken-1', ''])
    expect(rejectionOf(asked({ host: 'mock:8460', 'x-sandbox-token': guess }), open)?.status).toBe(401);
  expect(rejectionOf(asked({ host: 'mock:8460', 'x-sandbox-token': 'token-1' }), open)).toBeUndefined();
});

test('the health needs no token, but pages of other origins are refused', () => {
  const health = (headers: Record<string, string>) => ({
    ...asked({ host: 'mock:8460', ...headers }),
    method: 'GET',
    target: '/__mock/health',
  });
  expect(rejectionOf(health({}), open)).toBeUndefined();
  expect(rejectionOf({ ...health({}), target: '/__mock/healthy' }, open)?.status).toBe(401);
  expect(rejectionOf(health({ origin: 'https://page.example' }), open)?.status).toBe(403);
  expect(rejectionOf({ ...health({}), target: '/__mock/accounts' }, open)?.status).toBe(401);
});

test('a page of another origin may not, even with the token', () => {
  const headers = { host: 'mock:8460', 'x-sandbox-token': 'token-1', origin: 'https://page.example' };
  expect(rejectionOf(asked(headers), open)?.status).toBe(403);
});

test('the sentence does not contain the token', () => {
  expect(rejectionOf(asked({ host: 'mock', 'x-sandbox-token': 'guess' }), open)?.message).not.toMatch(/token-1|guess/);
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
  expect(isLoopback(host)).toBe(itself);
});
