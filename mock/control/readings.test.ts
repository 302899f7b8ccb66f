import { describe, expect, test } from 'vitest';
import { startMock } from '../index.ts';

describe('readings at the control door', () => {
  async function started() {
    const mock = await startMock({ listen: false, seed: 1 });
    const send = async (method: string, path: string, body?: unknown) => {
      const answer = await mock.fetch(`/__mock${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer by comparing it.
      return { status: answer.status, body: (await answer.json()) as any };
    };
    const profile = async () => (await mock.fetch('/api/Company/Profile', { headers: { 'x-api-key': mock.apiKey } })).json();
    const id = mock.accounts[0]?.id ?? '';
    return { mock, send, profile, path: `/accounts/${id}/readings`, id };
  }

  test('are the default at first', async () => {
    const { send, path } = await started();
    const { body } = await send('GET', path);
    expect(body).toMatchObject({ differing: {}, wire: [], readings: { 'company.name-name': 'name' } });
  });

  test('can be changed one by one, and replaced as a whole', async () => {
    const { send, profile, path } = await started();
    await send('PATCH', path, {
      facts: { 'company.name-name': 'companyName' },
      wire: [{ rename: 'CompanyProfile.website', to: 'homepage' }],
    });
    const { body } = await send('PATCH', path, { facts: { 'company.email-name': 'emailAddress' } });
    expect(body).toMatchObject({
      differing: { 'company.name-name': 'companyName', 'company.email-name': 'emailAddress' },
      wire: [{ rename: 'CompanyProfile.website', to: 'homepage' }],
    });
    expect(Object.keys((await profile()) as object)).toEqual([
      'companyName',
      'currency',
      'timeZone',
      'country',
      'emailAddress',
      'homepage',
    ]);
    await send('PUT', path, { facts: { 'company.currency-name': 'currencyCode' } });
    expect(Object.keys((await profile()) as object)).toEqual(['name', 'currencyCode', 'timeZone', 'country', 'email', 'website']);
  });

  test('show in the contract of that account and of no other', async () => {
    const { send, path, id } = await started();
    await send('PATCH', path, { facts: { 'gift-card.response.initial-value-name': 'originalValue' } });
    const own = (await send('GET', `/openapi.json?account=${id}`)).body;
    expect(own.components.schemas.GiftCard.properties).toHaveProperty('originalValue');
    expect(own['x-readings']).toEqual({ 'gift-card.response.initial-value-name': 'originalValue' });
    const create = own.paths['/api/GiftCard/Create'].post.description;
    expect(create).toContain('Here: originalValue. `gift-card.response.initial-value-name`');
    expect(create).not.toContain('Here: initialValue.');
    const usual = (await send('GET', '/openapi.json')).body;
    expect(usual.components.schemas.GiftCard.properties).toHaveProperty('initialValue');
    expect(usual).not.toHaveProperty('x-readings');
  });

  test('that cannot be taken are told, and nothing changes', async () => {
    const { send, profile, path } = await started();
    const before = await profile();
    const { status, body } = await send('PATCH', path, { facts: { 'company.name-name': 'companyName', 'company.nme': 'x' } });
    expect([status, body.error]).toEqual([
      400,
      'the facts: there is no clause company.nme. GET /__mock/readings lists those that have readings.',
    ]);
    expect(await profile()).toEqual(before);
  });

  test('of those who are not known are the beginning of later accounts and touch no other', async () => {
    const { mock, send, profile } = await started();
    await send('PATCH', '/readings', { facts: { 'errors.body-of-401': 'empty', 'company.name-name': 'businessName' } });
    const unknown = await mock.fetch('/api/Company/Profile');
    expect([unknown.status, await unknown.text(), unknown.headers.get('content-type')]).toEqual([401, '', null]);
    expect(await profile()).toHaveProperty('name');
    const key = (await send('POST', '/accounts')).body.keys[0].key;
    expect(await (await mock.fetch('/api/Company/Profile', { headers: { 'x-api-key': key } })).json()).toHaveProperty(
      'businessName',
    );
  });
});
