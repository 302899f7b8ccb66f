import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { sandboxOf } from '../../testing/fixture.ts';

test('errors.every-rejection-plain-text: what a JSON rejection says is declared by the contract as the account speaks it', () => {
  const { account, ask } = sandboxOf([{}], { behaviors: { 'errors.every-rejection-plain-text': 'json' } });
  const { status, mediaType, body } = ask('POST', '/api/GiftCard/Create', { balance: -5 });
  expect([status, mediaType]).toEqual([400, 'application/json']);
  expect(body).toEqual({
    message: 'The request is not valid: balance must be >= 0.',
    errors: { balance: ['must be >= 0'] },
  });
  // biome-ignore lint/suspicious/noExplicitAny: a document is as it is.
  const create = account.contract.document.paths['/api/GiftCard/Create']?.post as any;
  const { schema } = create.responses['400'].content['application/json'];
  expect(Object.keys(schema.properties)).toEqual(Object.keys(body));
  expect(new Ajv2020().validate(schema, body)).toBe(true);
  expect(new Ajv2020().validate(schema, { ...body, errors: { balance: 'wrong' } })).toBe(false);
});
