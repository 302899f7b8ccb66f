import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Learning, TARGET } from '../../scripts/learning/learning.ts';
import { writeFacts } from './written.ts';

const here = new Learning();
afterAll(() => here.end());

test.each([
  ['the file was made a folder', (file: string) => mkdirSync(file), 'could not be written: it is a folder.'],
  ['its unfinished file was', (file: string) => mkdirSync(`${file}.part`), 'could not be written: it is a folder.'],
  [
    'a folder came in the place of what was known',
    (file: string) => {
      rmSync(file);
      mkdirSync(file);
    },
    'cannot be read: it is a folder.',
    true,
  ],
])('6: what was learned could not be written, because meanwhile %s', async (_, spoil, why, isKnown = false) => {
  const file = join(mkdtempSync(here.at('unwritten-')), 'facts.yaml');
  if (isKnown) await writeFacts(file, { about: { target: TARGET }, facts: { 'http.head': 'method-not-allowed' } });
  const mock = await here.mock();
  let isSpoilt = false;
  const argv = ['facts', 'learn', '--target', TARGET, '--quiet', '--ledger', `${file}.ledger`, '--out', file, 'http.head'];
  const told = await here.run(mock, argv, (request) => {
    if (!isSpoilt) spoil(file);
    isSpoilt = true;
    return mock.fetch(request);
  });
  await mock.close();
  expect([told.code, told.err]).toEqual([6, `The facts file ${file} ${why}\n`]);
  expect(told.out).toContain('http.head  like-get');
  expect(told.out).toMatch(/\nIt could not be written, and stands here only\.\n$/);
  expect(statSync(`${file}.part`, { throwIfNoEntry: false })?.isFile() ?? false).toBe(false);
});

test.each([
  ['it is a folder', (file: string) => mkdirSync(file), (file: string) => file],
  ['its unfinished file is one', (file: string) => mkdirSync(`${file}.part`), (file: string) => `${file}.part`],
])('2: before anything is sent where %s', async (_, spoil, named) => {
  const file = join(mkdtempSync(here.at('no-place-')), 'facts.yaml');
  spoil(file);
  const mock = await here.mock();
  const sent: string[] = [];
  const { code, err } = await here.run(mock, ['facts', 'learn', '--target', TARGET, '--out', file, 'http.head'], (request) => {
    sent.push(request.url);
    return mock.fetch(request);
  });
  await mock.close();
  expect([code, sent]).toEqual([2, []]);
  expect(err).toBe(`The facts file ${named(file)} cannot be written: it is a folder. Nothing was sent.\n`);
});
