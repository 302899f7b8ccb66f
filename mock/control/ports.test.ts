import { expect, test } from 'vitest';
import { startMock } from '../index.ts';

const atService = async (url: string, path: string, key: string) => {
  const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } });
  return { status: response.status, headers: [...response.headers.keys()].sort(), body: await response.text() };
};

test('by default, the control API is on the port of the service', async () => {
  await using mock = await startMock();
  expect(mock.controlUrl).toBe(mock.url);
  expect((await fetch(`${mock.controlUrl}/__mock/health`)).status).toBe(200);
});

test.each([
  ['with a port of its own', { controlPort: 0 }],
  ['when it is closed', { control: false }],
])('%s, the port of the service knows nothing of it', async (_, options) => {
  await using mock = await startMock(options);
  const [door, nothing] = [
    await atService(mock.url, '/__mock/health', mock.apiKey),
    await atService(mock.url, '/nothing', mock.apiKey),
  ];
  expect(door).toEqual(nothing);
  expect(door.status).toBe(404);
  expect((await fetch(`${mock.url}/__mock/health`)).status).toBe(401);
});

test('a separate control port serves the control API, and the service for the dashboard', async () => {
  await using mock = await startMock({ controlPort: 0 });
  expect(mock.controlUrl).not.toBe(mock.url);
  expect((await fetch(`${mock.controlUrl}/__mock/health`)).status).toBe(200);
  for (const send of [fetch, mock.fetch])
    expect((await send(`${mock.controlUrl}/api/GiftCard/List`, { headers: { 'x-api-key': mock.apiKey } })).status).toBe(200);
  expect((await fetch(`${mock.controlUrl}/other`, { headers: { 'x-api-key': mock.apiKey } })).status).toBe(404);
  expect((await mock.fetch(`${mock.controlUrl}/__mock/health`)).status).toBe(200);
  expect((await mock.fetch('/__mock/health')).status).toBe(401);
});

test('with `control: false` it is not reachable, not even in process', async () => {
  await using mock = await startMock({ listen: false, control: false });
  expect(mock.controlUrl).toBeUndefined();
  expect((await mock.fetch('/__mock/health')).status).toBe(401);
});

test('a control port that is in use leaves nothing behind', async () => {
  await using other = await startMock();
  const controlPort = Number(new URL(other.url).port);
  await expect(startMock({ controlPort })).rejects.toMatchObject({ code: 'EADDRINUSE', port: controlPort });
});

test.each([
  [{ control: false, controlPort: 0 }, /^controlPort/],
  [{ listen: false, controlPort: 0 }, /^controlPort/],
])('%j cannot go together', async (options, sentence) => {
  await expect(startMock(options)).rejects.toThrow(sentence);
});
