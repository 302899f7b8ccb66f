import { describe, expect, test } from 'vitest';
import type { Account } from '../account/account.ts';
import { AccountConflict } from '../account/accounts.ts';
import { Sandbox } from '../account/sandbox.ts';
import { startMock } from '../index.ts';
import { silent } from '../server/log.ts';
import { worldOf } from '../world/read.ts';
import { changeBehaviorsOfAccount } from './behaviors.ts';
import { ControlError } from './resources.ts';

describe('behaviors in the control API', () => {
  async function started() {
    const mock = await startMock({ listen: false, seed: 1 });
    const send = async (method: string, path: string, body?: unknown) => {
      const response = await mock.fetch(`/__mock${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: the response has no type here. The tests compare its values.
      return { status: response.status, body: (await response.json()) as any };
    };
    const profile = async () => (await mock.fetch('/api/Company/Profile', { headers: { 'x-api-key': mock.apiKey } })).json();
    const id = mock.accounts[0]?.id ?? '';
    return { mock, send, profile, path: `/accounts/${id}/behaviors`, id };
  }

  test('are the default at first', async () => {
    const { send, path } = await started();
    const { body } = await send('GET', path);
    expect(body).toMatchObject({ differing: {}, overrides: [], behaviors: { 'gift-card.void.body': 'the-card' } });
  });

  test('can be changed one by one, and replaced as a whole', async () => {
    const { send, profile, path } = await started();
    await send('PATCH', path, {
      behaviors: { 'gift-card.void.body': 'empty' },
      overrides: [{ rename: 'CompanyProfile.website', to: 'homepage' }],
    });
    const { body } = await send('PATCH', path, { behaviors: { 'adjustment.by-id.overdraw-status': '409' } });
    expect(body).toMatchObject({
      differing: { 'gift-card.void.body': 'empty', 'adjustment.by-id.overdraw-status': '409' },
      overrides: [{ rename: 'CompanyProfile.website', to: 'homepage' }],
    });
    expect(Object.keys((await profile()) as object)).toEqual(['name', 'currency', 'timeZone', 'country', 'email', 'homepage']);
    await send('PUT', path, { overrides: [{ rename: 'CompanyProfile.currency', to: 'currencyCode' }] });
    expect(Object.keys((await profile()) as object)).toEqual(['name', 'currencyCode', 'timeZone', 'country', 'email', 'website']);
  });

  test('show in the contract of that account and of no other', async () => {
    const { send, path, id } = await started();
    const overrides = [{ rename: 'GiftCard.initialValue', to: 'originalValue' }];
    await send('PATCH', path, { behaviors: { 'gift-card.create.zero-balance': 'refused' }, overrides });
    const own = (await send('GET', `/openapi.json?account=${id}&rules=true`)).body;
    expect(own.components.schemas.GiftCard.properties).toHaveProperty('originalValue');
    expect(own['x-behaviors']).toEqual({ 'gift-card.create.zero-balance': 'refused' });
    expect(own['x-overrides']).toEqual(overrides);
    expect(own.paths['/api/GiftCard/Create'].post.description).toContain('Here: refused. `gift-card.create.zero-balance`');
    const usual = (await send('GET', '/openapi.json')).body;
    expect(usual.components.schemas.GiftCard.properties).toHaveProperty('initialValue');
    expect(usual).not.toHaveProperty('x-behaviors');
  });

  test('that no card of the account fits are refused, and change nothing', async () => {
    const { send, path } = await started();
    const { status, body } = await send('PATCH', path, { overrides: [{ schema: 'GiftCard.code', to: { pattern: '^never$' } }] });
    expect([status, body.error]).toEqual([400, expect.stringMatching(/schema overrides do not fit\. .*code must match/)]);
    expect((await send('GET', path)).body.overrides).toEqual([]);
  });

  test('that are changed by two at once are changed by both', async () => {
    const { send, path } = await started();
    for (const each of [path, '/behaviors']) {
      await Promise.all([
        send('PATCH', each, { behaviors: { 'gift-card.void.body': 'empty' } }),
        send('PATCH', each, { behaviors: { 'adjustment.by-id.overdraw-status': '409' } }),
      ]);
      expect((await send('GET', each)).body.differing).toEqual({
        'gift-card.void.body': 'empty',
        'adjustment.by-id.overdraw-status': '409',
      });
    }
  });

  test('are unchanged if the account or the sandbox is reset during the request, which is refused', async () => {
    const sandbox = new Sandbox({ world: worldOf({ accounts: [{}] }), seed: 1, log: silent });
    const [account] = sandbox.accounts.values();
    const change = { behaviors: { 'gift-card.void.body': 'empty' } };
    const changing = [undefined, account as Account].map((owner) =>
      changeBehaviorsOfAccount({ sandbox, account: owner, body: change }).catch((error) => error),
    );
    sandbox.reset();
    expect(await Promise.all(changing)).toEqual([expect.any(ControlError), expect.any(AccountConflict)]);
    expect(sandbox.variant.behaviors['gift-card.void.body']).toBe('the-card');
    expect([...sandbox.accounts.values()].map(({ behaviors }) => behaviors['gift-card.void.body'])).toEqual(['the-card']);
  });

  test('that are not valid are refused, and nothing changes', async () => {
    const { send, profile, path } = await started();
    const before = await profile();
    const { status, body } = await send('PATCH', path, { behaviors: { 'gift-card.void.body': 'empty', 'company.nme': 'x' } });
    expect([status, body.error]).toEqual([
      400,
      'the variant: company.nme is not a question. GET /__mock/behaviors and conformance list show the questions with their options.',
    ]);
    expect(await profile()).toEqual(before);
  });

  test('of those who are not known are the beginning of later accounts and touch no other', async () => {
    const { mock, send, profile } = await started();
    await send('PATCH', '/behaviors', {
      behaviors: { 'errors.body-of-401': 'empty' },
      overrides: [{ rename: 'CompanyProfile.name', to: 'businessName' }],
    });
    const unknown = await mock.fetch('/api/Company/Profile');
    expect([unknown.status, await unknown.text(), unknown.headers.get('content-type')]).toEqual([401, '', null]);
    expect(await profile()).toHaveProperty('name');
    const key = (await send('POST', '/accounts')).body.keys[0].key;
    expect(await (await mock.fetch('/api/Company/Profile', { headers: { 'x-api-key': key } })).json()).toHaveProperty(
      'businessName',
    );
  });
});
