import { expect, test } from 'vitest';
import type { Mock } from '../server/mock.ts';
import { banner } from './banner.ts';

test.each([
  [undefined, true],
  [{ path: '/state', wasThere: true }, true],
  [{ path: 'postgres://user:***@db/sandbox', wasThere: false }, true],
  [{ path: 'postgres://user:***@db/sandbox', wasThere: true }, false],
])('with the state %o, the banner has a seed: %s', (state, hasSeed) => {
  const mock = { url: 'http://127.0.0.1:8460', accounts: [], seed: 7, state, variant: { differing: 0, overrides: 0 } };
  expect(banner(mock as unknown as Mock).includes('Seed: 7\n')).toBe(hasSeed);
});
