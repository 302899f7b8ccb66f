import { expect, test } from 'vitest';
import controlDocument from '../../../../mock/control/generated/control.json' with { type: 'json' };
import contract from '../../../../openapi/generated/contract.json' with { type: 'json' };
import { readOperations } from './operations.ts';

const operations = [...readOperations(contract, 'Service'), ...readOperations(controlDocument, 'Control API')];

function operationOf(id: string) {
  const operation = operations.find((each) => each.id === id);
  if (!operation) throw new Error(`There is no operation ${id}.`);
  return operation;
}

/** Returns the properties of the request and of the first response, by name. */
function propertiesOf(id: string) {
  const { input, responses } = operationOf(id);
  return Object.fromEntries([...input, ...(responses[0]?.properties ?? [])].map((each) => [each.name, each]));
}

test('every operation of both documents and every delivery is there once', () => {
  const methodsOf = (items: Readonly<Record<string, object>>) => Object.values(items).flatMap((each) => Object.keys(each));
  const all = [contract.paths, contract.webhooks, controlDocument.paths].flatMap(methodsOf);
  expect(operations).toHaveLength(all.length);
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  const deliveries = operations.filter(({ kind }) => kind === 'Deliveries');
  expect(deliveries.map(({ path }) => path)).toEqual(Object.keys(contract.webhooks));
});

test('nested properties have a path: in objects, lists and maps', () => {
  expect(propertiesOf('addAccount')['cards[].code']).toMatchObject({ type: expect.stringMatching(/^string/), isRequired: false });
  expect(propertiesOf('getCard')['inChannels.*.balance']?.type).toMatch(/^number/);
  expect(propertiesOf('deliverUpdated')).toMatchObject({
    Code: { isRequired: true },
    'HMAC-Signature-SHA256': { place: 'header' },
  });
});

test('a value that may be null has the properties of the other type', () => {
  const { refusal, 'response.status': status } = propertiesOf('getJournalEntry');
  expect([refusal?.type, refusal?.description]).toEqual(['object or null', 'The refusal; null if there was none.']);
  expect(status?.type).toMatch(/^integer/);
});

test('properties have their limits, and parameters their place', () => {
  expect(propertiesOf('listGiftCards').pageSize).toMatchObject({
    place: 'query',
    type: expect.stringContaining('maximum 50'),
  });
});

test('requests, responses and deliveries have examples', () => {
  const { examples, responses } = operationOf('createGiftCard');
  expect(examples.length).toBeGreaterThan(1);
  const refused = responses.find(({ status }) => status === '400');
  expect(refused?.examples).toContainEqual({ title: 'Repeated code', value: 'A gift card with this code already exists.' });
  expect(operationOf('deliverVoided').examples).toMatchObject([{ title: 'Voided', value: { WebhookTopic: 'giftcard/voided' } }]);
});
