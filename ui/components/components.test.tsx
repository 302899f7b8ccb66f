import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { ExchangeView } from './exchange.tsx';
import { BodyView } from './json-view.tsx';
import { StatusLabel } from './label.tsx';
import { Sequence } from './sequence.tsx';

const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

test('a body is shown as a tree if it is JSON, otherwise as text; values are escaped', () => {
  expect(renderToString(<BodyView text='{"a":{"b":[{"c":1}]}}' />)).toContain('class="json"');
  expect(renderToString(<BodyView text="<b>not JSON" />)).toMatch(/<pre[^>]*>&lt;b>not JSON<\/pre>/);
});

test('an exchange has method, target, headers, bodies and time, or the reason for no response', () => {
  const request = {
    method: 'POST',
    target: '/api/GiftCard/Create',
    headers: { 'content-type': 'application/json' },
    body: '{"balance":5}',
  };
  const responded = textOf(
    renderToString(<ExchangeView request={request} response={{ status: 400, body: 'No' }} milliseconds={1.26} curl="curl" />),
  );
  for (const part of ['POST', '/api/GiftCard/Create', 'Headers (1)', 'balance', '400', 'No', '1.3 ms', 'Copy as curl'])
    expect(responded).toContain(part);
  expect(textOf(renderToString(<ExchangeView request={request} response={null} error="ECONNREFUSED" />))).toContain(
    'ECONNREFUSED',
  );
});

test('a sequence names both lanes of each step for those who do not see it', () => {
  const steps = [{ from: 'Service', to: 'Webhook', what: 'giftcard/voided', outcome: 'delivered: 204', tone: 'good' }] as const;
  expect(textOf(renderToString(<Sequence lanes={['Client', 'Service', 'Webhook']} steps={steps} />))).toContain(
    'Service to Webhook: giftcard/voided delivered: 204',
  );
});

test.each([
  ['Active', 'good'],
  ['Scheduled', 'info'],
  ['Redeemed', 'quiet'],
  ['Expired', 'warn'],
  ['Voided', 'bad'],
  [200, 'good'],
  [404, 'warn'],
  [503, 'bad'],
] as const)('the status %s is %s', (status, tone) => {
  expect(renderToString(<StatusLabel status={status} />)).toBe(`<span class="label ${tone}">${status}</span>`);
});
