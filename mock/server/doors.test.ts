import { expect, onTestFinished, test, vi } from 'vitest';
import { sandboxOf } from '../testing/fixture.ts';
import { openDoors } from './doors.ts';

vi.mock('../control/control.ts', () => {
  throw new Error('The control door cannot be loaded.');
});

async function opened() {
  const fixture = sandboxOf();
  const doors = await openDoors(fixture.sandbox, {}, async () => {});
  onTestFinished(doors.close);
  return { ...fixture, over: (path: string) => fetch(`${doors.url}${path}`, headersOf(fixture)), doors };
}

function headersOf({ account }: ReturnType<typeof sandboxOf>): RequestInit {
  return { headers: { 'x-api-key': account.keys[0]?.key as string } };
}

test('what breaks where the line cannot catch it is answered and told as a defect, over a socket and past it', async () => {
  const fixture = await opened();
  const { account, sandbox, over, doors } = fixture;
  account.rate.admit = () => {
    throw new Error('broken');
  };
  const path = '/api/Company/Profile';
  const answers = [await over(path), await doors.fetch(path, headersOf(fixture))];
  expect(answers.map(({ status }) => status)).toEqual([500, 500]);
  expect(await answers[0]?.text()).toBe('The sandbox has a defect; its log says more.');
  expect(new Set(sandbox.defects)).toEqual(new Set(['GET /api/Company/Profile: broken']));
});

test('a control door that cannot be loaded is answered and told as a defect', async () => {
  const { sandbox, over, doors } = await opened();
  const answers = [await over('/__mock/health'), await doors.control('/__mock/health')];
  expect(answers.map(({ status }) => status)).toEqual([500, 500]);
  expect(sandbox.defects).toHaveLength(2);
});
