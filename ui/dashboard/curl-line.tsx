import { CodeText } from '../components/values.tsx';
import { selectedAccount } from './session.ts';

/** A line for a shell that sends a request with the account's key: `<CurlLine path="GiftCard/Create" body={{ balance: 25 }} />`. */
export function CurlLine({ path, body }: { readonly path: string; readonly body?: object }) {
  const apiKey = selectedAccount()?.apiKey;
  if (!apiKey) return <NoKey />;
  const data = body ? ` -d '${JSON.stringify(body)}'` : '';
  return <CodeText text={`curl -H 'x-api-key: ${apiKey}' ${new URL(`/api/${path}`, location.href)}${data}`} />;
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
