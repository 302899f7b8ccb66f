import { type ComponentChildren, render } from 'preact';
import { useEffect } from 'preact/hooks';
import { Field, Form } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { control, dataOf, isTokenMissing } from './client.ts';
import { Frame } from './frame.tsx';
import { follow } from './live.ts';
import { useResource } from './resource.ts';
import { go, hrefOf, route } from './router.ts';
import { accounts, selectedAccount } from './session.ts';

function Page() {
  const { error } = useResource(async () => {
    accounts.value = await dataOf(control.GET('/accounts'));
  }, ['accounts', 'account']);
  const { account: id } = route.value;
  const first = accounts.value?.[0]?.id;
  useEffect(() => {
    if (id === '' && first !== undefined) go({ account: first }, true);
  }, [id, first]);
  const account = selectedAccount();
  useEffect(() => {
    if (account) follow(account.id);
  }, [account?.id]);

  if (isTokenMissing.value) return <TokenMissing />;
  if (account) return <Frame account={account} />;
  if (error) return <Problem>{error}</Problem>;
  if (id === '' || accounts.value === undefined) return null;
  return (
    <Problem>
      The sandbox has no account {id}. {first !== undefined && <a href={hrefOf({ account: first })}>Open the account {first}</a>}
    </Problem>
  );
}

function TokenMissing() {
  const signIn = async ({ token }: { readonly token: string }) => {
    const response = await fetch('sign-in', { method: 'POST', headers: { 'x-sandbox-token': token } });
    if (!response.ok) throw new Error(await response.text());
    location.reload();
  };
  const form = (
    <Form<{ readonly token: string }> submit="Sign in" onSubmit={signIn}>
      <Field label="Token" name="token" type="password" autocomplete="current-password" required />
    </Form>
  );
  return (
    <Problem below={form}>
      This page needs the sandbox's token, because other machines can reach the sandbox. The mock printed the token at its start,
      next to an address that works once without it.
    </Problem>
  );
}

function Problem({ children, below }: { readonly children: ComponentChildren; readonly below?: ComponentChildren }) {
  return (
    <main class="problem">
      <h1>giftcard-sandbox</h1>
      <Notice tone="bad">{children}</Notice>
      {below}
    </main>
  );
}

render(<Page />, document.body);
