import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '../dist');

/** These tests need `npm run bundle`. */
test.each([
  ['dashboard', 80],
  ['report', 25],
])('script and style sheet of the %s have at most %i KB compressed, and name no other host', (page, most) => {
  const files = ['js', 'css'].map((extension) => readFileSync(join(dist, `ui/${page}.${extension}`)));
  const size = files.reduce((sum, contents) => sum + gzipSync(contents).length, 0);
  expect(size).toBeLessThanOrEqual(most * 1024);
  const addresses = files.flatMap((contents) => contents.toString().match(/https?:\/\/[\w.-]+/g) ?? []);
  // Names of XML namespaces are not requested.
  expect(addresses.filter((address) => address !== 'http://www.w3.org')).toEqual([]);
});

test('the package has the licences of the bundled packages', () => {
  const licences = readFileSync(join(dist, 'third-party-licences.txt'), 'utf8').split('\n');
  expect(licences).toEqual(expect.arrayContaining(['commander', 'leven', 'tinyqueue', 'pure-rand', 'preact']));
});
