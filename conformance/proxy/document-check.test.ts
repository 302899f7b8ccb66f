import { expect, test } from 'vitest';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import { adjustRow, cardJson, createRow, type ExchangeRow, exchangeFrom, get, listRow } from '../testing/exchanges-fixture.ts';
import { DocumentCheck } from './document-check.ts';

function findingsOf(...rows: ExchangeRow[]) {
  const check = new DocumentCheck(new Reader(standardDocument, []));
  return rows.flatMap((row, index) => check.check({ ...exchangeFrom(row), at: 0, ms: 1 }, index + 1));
}

const clientFindingsOf = (...rows: ExchangeRow[]) =>
  findingsOf(...rows).flatMap(({ kind, what }) => (kind === 'client' ? [what] : []));

test.each<[string, ExchangeRow, RegExp]>([
  ['a field with another type', adjustRow('a', 1, { adjustmentAmount: '1' }), /adjustmentAmount.*number/],
  ['a field with another spelling', createRow('a', 5, { Notes: 'n' }), /notes/],
  ['no required field', createRow('a', 5, { balance: null }), /balance/],
  ['a date that is not one', adjustRow('a', 1, { actionedAtUtc: 'yesterday' }), /actionedAtUtc.*date and time/],
  ['a page that is too large', listRow([], { pageSize: '51' }), /pageSize.*50/],
  ['a body that is not an object', { ...createRow('a', 5), request: [] as never }, /JSON object/],
  ['a URL without TLS', { operation: 'createWebhook', request: { url: 'http://a.example' } }, /https/],
  ['a request without a key', { ...get('a', 5), key: null, status: 401, response: undefined }, /x-api-key/],
  ['a key that was never accepted', { ...get('a', 5), status: 401, response: undefined }, /never accepted/],
])('the client sends %s', (_, row, what) => {
  expect(clientFindingsOf(row)).toEqual([expect.stringMatching(what)]);
});

test.each<[string, ExchangeRow]>([
  ['a create', createRow('a', 5, { recipientEmailAddress: '', notes: null })],
  ['an adjustment by ID under another name', { ...adjustRow('a', 1), operation: 'addAdjustmentByGiftCardId' }],
  ['a page', listRow([], { pageSize: '50', pageNumber: '0', includeAll: 'true', since: '2026-01-01T00:00:00Z' })],
])('%s follows the contract', (_, row) => {
  expect(clientFindingsOf(row)).toEqual([]);
});

test('a key that was accepted before may have been deleted', () => {
  expect(clientFindingsOf(get('a', 5), { ...get('a', 5), status: 401, response: undefined })).toEqual([]);
});

test('a response that differs from the contract where nothing is stated is open', () => {
  const findings = findingsOf({ ...get('a', 5), response: { ...cardJson('a', 5), expiresAtUtc: 7 } });
  expect(findings.map(({ kind, rule, exchanges }) => [kind, rule, exchanges])).toEqual([['open', undefined, [1]]]);
});
