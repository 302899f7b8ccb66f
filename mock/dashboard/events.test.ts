import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startMock } from '../index.ts';
import { openListeners } from '../server/listeners.ts';
import { LevelStore } from '../store/level-store.ts';
import { sandboxOf } from '../testing/fixture.ts';
import { events } from './events.ts';

const REQUEST = { method: 'GET', target: '/__mock/events?account=main', headers: { host: '127.0.0.1' }, body: undefined };

function stream() {
  const fixture = sandboxOf([{ id: 'main' }]);
  const response = events(fixture.sandbox, REQUEST);
  const parts = response.parts as Readable;
  onTestFinished(() => void parts.destroy());
  return { ...fixture, response, parts };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a slow reader gets one event with everything that it missed', () => {
  const { parts, create } = stream();
  expect(String(parts.read())).toMatch(/^retry: 2000\n\ndata: .*"clock".*\n\n$/);
  for (let second = 0; second < 60; second++) {
    create();
    vi.advanceTimersByTime(1000);
    expect(parts.readableLength).toBeLessThan(150);
  }
  expect(String(parts.read())).toMatch(/^data: .*\n\n$/);
  vi.advanceTimersByTime(1000);
  expect(String(parts.read())).toMatch(/^data: .*\n\n$/);
  vi.advanceTimersByTime(1000);
  expect(parts.read()).toBeNull();
});

test('there are at most five events in a second, and a comment after 15 seconds without one', async () => {
  const { parts, create } = stream();
  let text = '';
  parts.on('data', (chunk) => {
    text += chunk;
  });
  for (let step = 0; step < 99; step++) {
    create();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(text.match(/data:/g)).toHaveLength(6); // one of them at the beginning
  await vi.advanceTimersByTimeAsync(30_000);
  expect(text.match(/^:$/gm)).toHaveLength(2);
});

test('a replica that responds for another one sends one event of all kinds, and keeps no stream open', async () => {
  vi.useRealTimers();
  const { sandbox } = sandboxOf([{ id: 'main' }]);
  const responses: unknown[] = [];
  const listeners = await openListeners(sandbox, { listen: false }, async (handle) => {
    const { response } = await handle({ request: REQUEST, guard: { hosts: [], token: undefined } });
    responses.push(response);
  });
  onTestFinished(listeners.close);
  expect(responses).toEqual([
    expect.objectContaining({ status: 200, body: expect.stringMatching(/^retry: 2000\n\ndata: .*\n\n$/) }),
  ]);
  expect(responses[0]).not.toHaveProperty('parts');
  expect(sandbox.rows.watchers.size).toBe(0);
});

test('a stream ends when the state cannot be stored, because its changes may be undone', async () => {
  vi.useRealTimers();
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-'));
  const mock = await startMock({ listen: false, state: join(folder, 'state') });
  onTestFinished(async () => {
    await mock.close();
    rmSync(folder, { recursive: true });
  });
  const { body } = await mock.fetch('/__mock/events?account=main');
  vi.spyOn(LevelStore.prototype, 'write').mockRejectedValueOnce(new Error('No space left on device'));
  await expect(mock.merchant.addCard({})).rejects.toMatchObject({ status: 503 });
  vi.restoreAllMocks();
  expect(await new Response(body).text()).toMatch(/^retry: 2000\n\n/);
  await expect.poll(async () => (await mock.fetch('/__mock/accounts')).status).toBe(200);
});

test('a client that leaves before the response keeps no stream open', async () => {
  vi.useRealTimers();
  await using mock = await startMock();
  const { hostname, port } = new URL(mock.url);
  for (let made = 0; made < 60; made++) {
    const socket = connect(Number(port), hostname).on('error', () => {});
    socket.write('GET /__mock/events?account=main HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', () => socket.destroy());
  }
  const status = async () => {
    const { status, body } = await fetch(`${mock.url}/__mock/events?account=main`);
    await body?.cancel();
    return status;
  };
  await expect.poll(async () => Promise.all(Array.from({ length: 40 }, status))).not.toContain(503);
});
