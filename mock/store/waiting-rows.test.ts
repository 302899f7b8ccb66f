import { expect, test } from 'vitest';
import { Sandbox } from '../account/sandbox.ts';
import { silent } from '../server/log.ts';
import { WaitingRows } from './waiting-rows.ts';

test('responses to messages of other replicas are written, even if all rows of the sandbox are replaced', () => {
  const waiting = new WaitingRows(new Sandbox({ world: { accounts: [] }, seed: 1, log: silent }));
  waiting.add(undefined, ['responses', 0, 'before']);
  waiting.replace('account');
  waiting.add(undefined, ['responses', 1, 'after']);
  const written = [...waiting.take().texts].filter(([name]) => name.startsWith('!responses!'));
  expect(written.map(([, text]) => text)).toEqual(['[0,"before"]', '[1,"after"]']);
});
