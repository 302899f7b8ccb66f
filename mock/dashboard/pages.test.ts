import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Mock, type MockOptions, startMock } from '../index.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

async function started(options: MockOptions = {}): Promise<Mock> {
  const mock = await startMock({ seed: 1, ...options });
  onTestFinished(() => mock.close());
  return mock;
}

const send = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers, redirect: 'manual' });

/** Opens the stream, and returns the events so far except the first, which has all kinds. */
async function opened(url: string, headers: Record<string, string> = {}) {
  const events: string[][] = [];
  let ended = false;
  const { request, status } = await new Promise<{ request: ReturnType<typeof get>; status: number }>((resolve) => {
    const request = get(url, { headers }, (response) => {
      let text = '';
      let isFirst = true;
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        const kinds = parts.filter((part) => part.startsWith('data: ')).map((part) => JSON.parse(part.slice(6)).kinds);
        events.push(...kinds.slice(isFirst && kinds.length > 0 ? 1 : 0));
        if (kinds.length > 0) isFirst = false;
      });
      response.on('close', () => {
        ended = true;
      });
      response.on('error', () => {});
      resolve({ request, status: response.statusCode ?? 0 });
    });
  });
  onTestFinished(() => void request.destroy());
  return { events, status, close: () => request.destroy(), hasEnded: () => ended };
}

describe('the base URL', () => {
  test('sends a browser to the dashboard, and responds to other clients as the service does', async () => {
    const { url } = await started();
    const response = await send(`${url}/`, BROWSER);
    expect([response.status, response.headers.get('location')]).toEqual([302, '/__mock/']);
    expect((await send(`${url}/`)).status).toBe(401);
    expect((await send(`${url}/`, BROWSER, 'POST')).status).toBe(401);
  });

  test('is the service alone if the control API has its own port, or is off', async () => {
    const { url, controlUrl, apiKey } = await started({ controlPort: 0 });
    expect((await send(`${url}/`, BROWSER)).status).toBe(401);
    expect((await send(`${controlUrl}/`, BROWSER)).headers.get('location')).toBe('/__mock/');
    // The dashboard sends requests to the service at its own origin.
    expect((await send(`${controlUrl}/api/Company/Profile`, { 'x-api-key': apiKey })).status).toBe(200);
    expect((await send(`${controlUrl}/card/x/balance`)).status).toBe(404);
    expect((await send(`${(await started({ control: false })).url}/`, BROWSER)).status).toBe(401);
  });
});

describe('the page', () => {
  test('is for browsers; other clients get the list of operations', async () => {
    const { url } = await started();
    const page = await send(`${url}/__mock/`, BROWSER);
    // Without "npm run bundle", there is no script.
    expect(page.status).toBe(existsSync('dist/ui/dashboard.js') ? 200 : 503);
    const list = await send(`${url}/__mock/`);
    expect(await list.json()).toMatchObject({ document: '/__mock/control.json' });
  });

  test.runIf(existsSync('dist/ui/dashboard.js'))('loads two files, which the browser need not load again', async () => {
    const { url } = await started();
    const page = await send(`${url}/__mock/`, BROWSER);
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(html).not.toMatch(/<style|style=|<script(?! src)|https?:/);
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path);
    expect(files.sort()).toEqual(['/__mock/ui/dashboard.css', '/__mock/ui/dashboard.js']);
    for (const path of files) {
      const file = await send(`${url}${path}`);
      expect([file.status, file.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/(css|javascript);/)]);
      const again = await send(`${url}${path}`, { 'if-none-match': file.headers.get('etag') ?? '' });
      expect([again.status, await again.text(), again.headers.get('content-length')]).toEqual([304, '', null]);
    }
    expect((await send(`${url}/__mock/ui/../guard.ts`)).status).toBe(404);
    expect((await send(`${url}/__mock/ui/other.js`)).status).toBe(404);
  });
});

describe('signing in', () => {
  const cookieIn = (response: Response) => {
    const [cookie = '', ...attributes] = response.headers.getSetCookie().join().split('; ');
    return { cookie, attributes: attributes.sort() };
  };
  const attributes = ['HttpOnly', 'Path=/__mock', 'SameSite=Strict'];

  test('by the printed address sets a cookie that page, event stream and control API accept', async () => {
    const { url, dashboardUrl = '' } = await started({ host: '0.0.0.0' });
    expect((await send(`${url}/__mock/accounts`, BROWSER)).status).toBe(401);
    const signedIn = await send(dashboardUrl, BROWSER);
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([302, '/__mock/']);
    const { cookie, ...rest } = cookieIn(signedIn);
    expect(rest).toEqual({ attributes });
    expect((await send(`${url}/__mock/accounts`, { ...BROWSER, cookie })).status).toBe(200);
    const { events, status } = await opened(`${url}/__mock/events?account=main`, { cookie });
    expect(status).toBe(200);
    const body = { method: 'POST', body: '{}' };
    const headers = { cookie, origin: url };
    expect((await fetch(`${url}/__mock/accounts/main/cards`, { ...body, headers })).status).toBe(201);
    await expect.poll(() => events.flat()).toContain('cards');
  });

  test('by the printed address works once, and not by guessing', async () => {
    const { url, dashboardUrl = '' } = await started({ host: '0.0.0.0' });
    const signInUrls = ['', '?code=', '?code=guess'].map((query) => `${url}/__mock/sign-in${query}`);
    const cookies: number[] = [];
    for (const each of [...signInUrls, dashboardUrl, dashboardUrl]) {
      const { status, headers } = await send(each, BROWSER);
      expect([status, headers.get('location')]).toEqual([302, '/__mock/']);
      cookies.push(headers.getSetCookie().length);
    }
    expect(cookies).toEqual([0, 0, 0, 1, 0]);
  });

  test('by the printed address is left for a browser: other programs that look at the link do not use it up', async () => {
    const { dashboardUrl = '' } = await started({ host: '0.0.0.0' });
    const looked = [await send(dashboardUrl), await fetch(dashboardUrl, { method: 'HEAD', redirect: 'manual' })];
    for (const { headers } of looked) expect(headers.getSetCookie()).toEqual([]);
    expect((await send(dashboardUrl, BROWSER)).headers.getSetCookie()).toHaveLength(1);
  });

  test('ends with a sign-out, which removes the cookie', async () => {
    const { url, controlToken = '' } = await started({ host: '0.0.0.0' });
    const signIn = await fetch(`${url}/__mock/sign-in`, { method: 'POST', headers: { 'x-sandbox-token': controlToken } });
    const [name] = cookieIn(signIn).cookie.split('=');
    const signOut = await fetch(`${url}/__mock/sign-in`, { method: 'DELETE', headers: { cookie: cookieIn(signIn).cookie } });
    expect([signOut.status, signOut.headers.get('set-cookie')]).toEqual([204, expect.stringMatching(`^${name}=;.*Max-Age=0`)]);
  });

  test('by the token sets the cookie for each browser', async () => {
    const { url, controlToken = '' } = await started({ host: '0.0.0.0' });
    const signIn = (token: string) => fetch(`${url}/__mock/sign-in`, { method: 'POST', headers: { 'x-sandbox-token': token } });
    const refused = await signIn('guess');
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []]);
    for (const response of [await signIn(controlToken), await signIn(controlToken)]) {
      expect([response.status, cookieIn(response).attributes]).toEqual([204, attributes]);
      expect((await send(`${url}/__mock/accounts`, { cookie: cookieIn(response).cookie })).status).toBe(200);
    }
  });

  test('is not needed on loopback', async () => {
    const { url, dashboardUrl } = await started();
    expect(dashboardUrl).toBe(`${url}/__mock/`);
    expect((await send(`${url}/__mock/sign-in`)).status).toBe(404);
  });
});

describe('the event stream', () => {
  test('names what has changed, once per batch, for its account only', async () => {
    const mock = await started();
    const other = await mock.createAccount({ id: 'second' });
    const { events } = await opened(`${mock.url}/__mock/events?account=main`);
    const others = await opened(`${mock.url}/__mock/events?account=second`);
    for (let made = 0; made < 20; made++) await mock.merchant.addCard({ balance: 5 });
    await expect.poll(() => new Set(events.flat())).toEqual(new Set(['journal', 'cards', 'channels', 'clock']));
    expect(events.length).toBeLessThan(5);
    expect(others.events).toEqual([]);
    await mock.faults.set({ fault: 'reset', operation: 'listGiftCards' });
    await expect.poll(() => new Set(events.flat())).toContain('faults');
    await other.reset();
    await expect.poll(() => others.events.flat()).toContain('behaviors');
    await expect.poll(() => events.flat()).toContain('accounts');
  });

  test('ends with its client or with the mock, and is limited in number', async () => {
    const mock = await started();
    const url = `${mock.url}/__mock/events?account=main`;
    const streams = await Promise.all(Array.from({ length: 60 }, () => opened(url)));
    expect(streams.filter(({ status }) => status === 503)).toHaveLength(10);
    for (const { close } of streams.slice(0, 30)) close();
    await expect.poll(async () => (await opened(url)).status).toBe(200);
    await mock.close();
    await expect.poll(() => streams.every(({ hasEnded, status }) => status === 503 || hasEnded())).toBe(true);
  });

  test('names the accounts if an account is unknown', async () => {
    const { url } = await started();
    for (const query of ['', '?account=', '?account=unknown'])
      expect((await send(`${url}/__mock/events${query}`)).status).toBe(404);
  });

  test('reaches a caller without a socket until it or the mock ends', async () => {
    const mock = await started({ listen: false });
    const controller = new AbortController();
    const read = async (signal?: AbortSignal) => {
      const { body } = await mock.fetch('/__mock/events?account=main', signal ? { signal } : {});
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      expect((await reader?.read())?.value).toMatch(/^retry: 2000\n\ndata: /);
      return reader;
    };
    const [reader, other] = [await read(controller.signal), await read()];
    await mock.merchant.addCard({ balance: 5 });
    expect((await reader?.read())?.value).toMatch(/^data: \{"kinds":\[.*\]\}\n\n$/);
    controller.abort();
    await expect(reader?.read()).rejects.toThrow(/abort/);
    await mock.close();
    await expect.poll(async () => (await other?.read())?.done).toBe(true);
  });
});
