import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { Notice } from '../components/notice.tsx';
import { answered, control, isTokenMissing } from './client.ts';
import { Frame } from './frame.tsx';
import { follow } from './live.ts';
import { useResource } from './resource.ts';
import { go, hrefOf, route } from './router.ts';
import { accounts, selectedAccount } from './session.ts';

function Page() {
  const { error } = useResource(async () => {
    accounts.value = await answered(control.GET('/accounts'));
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

  if (isTokenMissing.value)
    return (
      <Problem>
        This page needs the sandbox's token, because other machines can reach the sandbox. Open the address that the mock printed
        at its start: it has the token.
      </Problem>
    );
  if (account) return <Frame account={account} />;
  if (error) return <Problem>{error}</Problem>;
  if (id === '' || accounts.value === undefined) return null;
  return (
    <Problem>
      The sandbox has no account {id}. {first !== undefined && <a href={hrefOf({ account: first })}>Open the account {first}</a>}
    </Problem>
  );
}

function Problem({ children }: { readonly children: preact.ComponentChildren }) {
  return (
    <main class="problem">
      <h1>giftcard-sandbox</h1>
      <Notice tone="bad">{children}</Notice>
    </main>
  );
}

render(<Page />, document.body);
