import { expect, test } from 'vitest';
import { isOwnEar } from './self-target-check.ts';

test.each<[target: string, host: string, port: number, is: boolean]>([
  ['http://127.0.0.1:8461', '127.0.0.1', 8461, true],
  ['http://127.0.0.1:8461/service', '127.0.0.1', 8461, true],
  ['http://localhost:8461', '127.0.0.1', 8461, true],
  ['http://127.0.0.1:8461', 'localhost', 8461, true],
  ['http://0.0.0.0:8461', '127.0.0.1', 8461, true],
  ['http://[::]:8461', '::1', 8461, true],
  ['http://[::ffff:127.0.0.1]:8461', '127.0.0.1', 8461, true],
  ['http://127.0.0.1:8461', '0.0.0.0', 8461, true],
  ['http://127.9.9.9:8461', '0.0.0.0', 8461, true],
  ['http://127.0.0.1:8461', '::', 8461, true],
  ['http://127.0.0.1', '127.0.0.1', 80, true],
  ['http://127.0.0.1:8460', '127.0.0.1', 8461, false],
  ['http://127.0.0.2:8461', '127.0.0.1', 8461, false],
  ['http://[::1]:8461', '127.0.0.1', 8461, false],
  ['http://192.0.2.1:8461', '0.0.0.0', 8461, false],
])('to %s by who listens at %s on %i: %s', async (target, host, port, is) => {
  expect(await isOwnEar(target, host, port)).toBe(is);
});
