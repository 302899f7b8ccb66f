import { expect, test } from 'vitest';
import { whyNot } from './why-not.ts';

const failed = (code: string) => Object.assign(new Error(`${code}: in the words of the system`), { code });

test.each([
  ['ENOENT', 'there is no such file', 'there is no such folder'],
  ['EISDIR', 'it is a folder', 'it is a folder'],
  ['EACCES', 'it may not be read', 'it may not be written'],
  ['ENOSPC', 'the disk is full', 'the disk is full'],
  ['EMFILE', 'EMFILE: in the words of the system', 'EMFILE: in the words of the system'],
])('%s has a message in words', (code, read, written) => {
  expect([whyNot(failed(code), 'read'), whyNot(failed(code), 'written')]).toEqual([read, written]);
});
