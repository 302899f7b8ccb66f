import { expect, test } from 'vitest';
import { leadsToProxy } from './self-target-check.ts';

test.each<[target: string, host: string, port: number, leads: boolean]>([
  ['http://127.0.0.1:8461', '127.0.0.1', 8461, true],
  ['http://127.0.0.1:8461/service', '127.0.0.1', 8461, true],
  ['http://localhost:8461', '127.0.0.1', 8461, true],
  ['http://0.0.0.0:8461', '127.0.0.1', 8461, true],
  ['http://[::]:8461', '::1', 8461, true],
  ['http://127.0.0.1:8461', '0.0.0.0', 8461, true],
  ['http://127.9.9.9:8461', '0.0.0.0', 8461, true],
  ['http://127.0.0.1', '127.0.0.1', 80, true],
  ['http://127.0.0.1:8460', '127.0.0.1', 8461, false],
  ['http://127.0.0.2:8461', '127.0.0.1', 8461, false],
  ['http://192.0.2.1:8461', '0.0.0.0', 8461, false],
])('requests to %s arrive at a proxy on %s:%i: %s', async (target, host, port, leads) => {
  expect(await leadsToProxy(target, host, port)).toBe(leads);
});
