import { useSignal } from '@preact/signals';
import { type ExchangeProps, ExchangeView } from '../../../components/exchange.tsx';
import { Field, Form, type FormValues } from '../../../components/form.tsx';
import { serviceHeaders } from '../../client.ts';
import { curlOf, NoKey } from '../../curl-line.tsx';
import { selectedAccount } from '../../session.ts';
import type { ReferenceOperation } from './operations.ts';

/** Sends a request of the operation with the account's key, and shows the response. */
export function TryForm({ of: { method, path, input, examples } }: { readonly of: ReferenceOperation }) {
  const exchange = useSignal<ExchangeProps | undefined>(undefined);
  const apiKey = selectedAccount()?.apiKey;
  if (!apiKey) return <NoKey />;
  const parameters = input.filter(({ place }) => place === 'path' || place === 'query');
  const send = async ({ body: text, ...values }: FormValues) => {
    const body = text === undefined ? null : String(text);
    const target = targetOf(path, values);
    const headers = { 'x-api-key': apiKey, ...(body !== null && { 'content-type': 'application/json' }) };
    const started = performance.now();
    const response = await fetch(target, { method, headers: { ...serviceHeaders(apiKey), ...headers }, body });
    exchange.value = {
      request: { method, headers, target, body },
      response: { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() },
      milliseconds: performance.now() - started,
      curl: curlOf(apiKey, method, target, body),
    };
  };
  return (
    <details class="try box" open={method === 'GET'}>
      <summary>Try</summary>
      <Form submit={`Send ${method}`} onSubmit={send}>
        {parameters.map(({ name, type, isRequired }) => (
          <Field key={name} label={name} hint={type} name={name} required={isRequired} />
        ))}
        {examples.length > 0 && (
          <Field label="Body">
            <textarea name="body" class="mono" rows={10}>
              {JSON.stringify(examples[0]?.value, null, 2)}
            </textarea>
          </Field>
        )}
        {method !== 'GET' && (
          <p class="quiet">This request changes the account of this sandbox, as a request of your client would.</p>
        )}
      </Form>
      {exchange.value && <ExchangeView {...exchange.value} />}
    </details>
  );
}

function targetOf(path: string, values: FormValues): string {
  const query = new URLSearchParams();
  let target = path;
  for (const [name, value] of Object.entries(values)) {
    const place = `{${name}}`;
    if (target.includes(place)) target = target.replace(place, encodeURIComponent(String(value)));
    else query.set(name, String(value));
  }
  return query.size > 0 ? `${target}?${query}` : target;
}
