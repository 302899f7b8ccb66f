import { expect, test } from 'vitest';
import { withoutPause } from '../../account/clock.ts';
import { sandboxOf } from '../../testing/fixture.ts';
import { capture, captureAll } from './capture.ts';
import { jsonParts } from './json-parts.ts';

test('the parts of a snapshot are its JSON text', async () => {
  const { sandbox, account, create } = sandboxOf([{ channels: [{ id: 'store' }] }, { id: 'empty' }]);
  for (let card = 0; card < 500; card++) create({ notes: 'é"\u2028' });
  await account.effects.settled();
  for (const snapshot of [withoutPause(capture(sandbox, account)), await captureAll(sandbox)]) {
    const parts: Uint8Array[] = [];
    for await (const part of jsonParts(snapshot)) parts.push(part);
    const text = Buffer.concat(parts).toString('utf8');
    expect(text).toBe(JSON.stringify(snapshot));
    expect(parts.length).toBeGreaterThan(5);
  }
});
