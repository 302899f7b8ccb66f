import { expect, onTestFinished, test, vi } from 'vitest';
import { sandboxOf } from '../testing/fixture.ts';
import { openListeners } from './listeners.ts';

vi.mock('../control/control.ts', () => {
  throw new Error('The control API cannot be loaded.');
});

async function opened() {
  const fixture = sandboxOf();
  const listeners = await openListeners(fixture.sandbox, {}, async () => {});
  onTestFinished(listeners.close);
  return { ...fixture, over: (path: string) => fetch(`${listeners.url}${path}`, headersOf(fixture)), listeners };
}

function headersOf({ account }: ReturnType<typeof sandboxOf>): RequestInit {
  return { headers: { 'x-api-key': account.keys[0]?.key as string } };
}

test('an error outside of the request path is a defect, and the response is 500, over a socket and without one', async () => {
  const fixture = await opened();
  const { account, sandbox, over, listeners } = fixture;
  account.rate.admit = () => {
    throw new Error('broken');
  };
  const path = '/api/Company/Profile';
  const responses = [await over(path), await listeners.fetch(path, headersOf(fixture))];
  expect(responses.map(({ status }) => status)).toEqual([500, 500]);
  expect(await responses[0]?.text()).toBe('The sandbox has a defect; the log has details.');
  expect(new Set(sandbox.defects)).toEqual(new Set(['GET /api/Company/Profile: broken']));
});

test('a control API that cannot be loaded is a defect, and the response is 500', async () => {
  const { sandbox, over, listeners } = await opened();
  const responses = [await over('/__mock/health'), await listeners.control('/__mock/health')];
  expect(responses.map(({ status }) => status)).toEqual([500, 500]);
  expect(sandbox.defects).toHaveLength(2);
});
