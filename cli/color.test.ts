import { expect, test } from 'vitest';
import { hasColor, painter } from './color.ts';

test.each([
  [true, {}, true],
  [true, { TERM: 'dumb' }, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [false, {}, false],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
])('a terminal: %s, %j: color %s', (isTTY, environment, expected) => {
  expect(hasColor({ isTTY, write: () => 0 }, environment)).toBe(expected);
});

test('a painted text has the escape sequences of its style', () => {
  expect(painter(true)('red', 'x')).toBe('\x1b[31mx\x1b[39m');
  expect(painter(false)('red', 'x')).toBe('x');
});
