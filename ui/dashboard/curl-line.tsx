import { CodeText } from '../components/values.tsx';
import { selectedAccount } from './session.ts';

/** A line for a shell that sends a request with the account's key: `<CurlLine path="GiftCard/Create" body={{ balance: 25 }} />`. */
export function CurlLine({ path, body }: { readonly path: string; readonly body?: object }) {
  const apiKey = selectedAccount()?.apiKey;
  if (!apiKey) return <NoKey />;
  return <CodeText text={curlOf(apiKey, body ? 'POST' : 'GET', `/api/${path}`, body ? JSON.stringify(body) : null)} />;
}

/** Returns a line for a shell that sends a request. */
export function curlOf(apiKey: string, method: string, target: string, body: string | null): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const words = ['curl', '-X', method, quoted(new URL(target, location.href).href), '-H', quoted(`x-api-key: ${apiKey}`)];
  if (body !== null) words.push('-H', quoted('content-type: application/json'), '-d', quoted(body));
  return words.join(' ');
}

/** Shown in place of something that needs the account's key. */
export function NoKey() {
  const { id, plan } = selectedAccount() ?? {};
  return (
    <p class="quiet">
      The account {id} has no key that the service accepts. Its plan is {plan}.
    </p>
  );
}
