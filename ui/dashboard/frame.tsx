import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { AccountDetails } from '../../mock/control/generated/types.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { ConfirmDialog, confirmAction, HelpPanel } from '../components/dialogs.tsx';
import { ActionResult, useAction } from './actions.tsx';
import { control, dataOf, here } from './client.ts';
import { ClockBar } from './clock-bar.tsx';
import { isConnected, isPaused, onChange, setPaused } from './live.ts';
import { useResource } from './resource.ts';
import { go, hrefOf, route } from './router.ts';
import { accounts, selectedAccount } from './session.ts';
import { type DashboardView, views } from './views.ts';

/** Sidebar, account, clock and the selected view. */
export function Frame({ account }: { readonly account: AccountDetails }) {
  const view = views.find(({ name }) => name === route.value.view) ?? (views[0] as DashboardView);
  useEffect(() => {
    document.title = `${view.title} · ${account.id} · giftcard-sandbox`;
  }, [view, account.id]);
  return (
    <div class="frame">
      <header class="topbar">
        <AccountSwitch account={account} />
        <AccountMenu account={account} />
        <ClockBar key={account.id} />
        <LiveButton />
      </header>
      <Sidebar account={account} current={view} />
      <main key={`${account.id} ${view.name}`}>
        <h1 class="visually-hidden">{view.title}</h1>
        <view.show />
      </main>
      <ConfirmDialog />
      <HelpPanel />
    </div>
  );
}

function AccountSwitch({ account }: { readonly account: AccountDetails }) {
  return (
    <select aria-label="Account" value={account.id} onChange={({ currentTarget }) => go({ account: currentTarget.value })}>
      {accounts.value?.map(({ id, plan, currency }) => (
        <option key={id} value={id}>
          {id} · {plan} · {currency}
        </option>
      ))}
    </select>
  );
}

/** Buttons next to the account; in a narrow window, a menu. */
function AccountMenu({ account }: { readonly account: AccountDetails }) {
  const { id, apiKey } = account;
  const action = useAction();
  const create = async () => {
    const added = await dataOf(control.POST('/accounts'));
    accounts.value = [...(accounts.value ?? []).filter((each) => each.id !== added.id), added];
    go({ account: added.id });
    return `The account ${added.id} was created with the sample cards.`;
  };
  const reset = async () => {
    const causes = ['All cards, requests, emails, deliveries, behaviors and the clock return to their state at the start.'];
    if (!(await confirmAction({ title: `Reset the account ${id}?`, causes, action: 'Reset' }))) return;
    await action.run(async () => {
      await dataOf(control.POST('/accounts/{account}/reset', { params: { path: here() } }));
      go({ query: { selected: null } });
      return `The account ${id} was reset.`;
    });
  };
  // A disabled button would not close the menu.
  const closeMenu = { popoverTarget: 'account-menu', popoverTargetAction: 'hide' } as const;
  return (
    <>
      <button type="button" class="small menu-button" popoverTarget="account-menu">
        More
      </button>
      <div id="account-menu" popover="auto">
        {apiKey !== null && <CopyButton key={apiKey} text={apiKey} label="Copy key" />}
        <button type="button" class="small" {...closeMenu} onClick={() => action.run(create)}>
          New account
        </button>
        <button type="button" class="small" {...closeMenu} onClick={reset}>
          Reset
        </button>
      </div>
      {apiKey === null && <span class="quiet">{noAccessOf(account)}</span>}
      <ActionResult of={action} />
    </>
  );
}

function noAccessOf({ keys, plan }: AccountDetails): string {
  if (keys.every(({ deleted }) => deleted)) return 'This account has no API key.';
  return `This account has no API access: its ${plan === 'Basic' ? 'plan is Basic' : 'subscription is not active'}.`;
}

function LiveButton() {
  const state = isPaused.value ? 'Paused' : isConnected.value ? 'Live' : 'Reconnecting';
  const title = isPaused.value ? 'Show changes again' : 'Pause: show no changes until you continue';
  return (
    <button
      type="button"
      class={`plain live ${state === 'Live' ? 'good' : 'warn'}`}
      title={title}
      onClick={() => setPaused(!isPaused.value)}
    >
      {state}
    </button>
  );
}

/** The views that changed since the user opened them. */
const unseen = signal<ReadonlySet<string>>(new Set());

function Sidebar({ account, current }: { readonly account: AccountDetails; readonly current: DashboardView }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    unseen.value = new Set([...unseen.value].filter((name) => name !== current.name));
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  useEffect(() => {
    unseen.value = new Set();
  }, [account.id]);
  return (
    <div class="sidebar" ref={bar}>
      <p class="brand">
        giftcard <span>sandbox</span>
      </p>
      <nav aria-label="Views">
        {views.map((view) => (
          <ViewLink key={view.name} view={view} isCurrent={view === current} />
        ))}
      </nav>
      <div class="sidebar-end">
        <button type="button" class="plain" popoverTarget="keys">
          Keys <kbd>?</kbd>
        </button>
        {'signedIn' in document.body.dataset && (
          <button type="button" class="plain" onClick={signOut}>
            Sign out
          </button>
        )}
        <ThemeSwitch />
      </div>
    </div>
  );
}

function ViewLink({ view, isCurrent }: { readonly view: DashboardView; readonly isCurrent: boolean }) {
  const { name, title, kinds, count, hasDot = true } = view;
  const account = selectedAccount();
  const { data } = useResource(async () => count?.(), kinds, [account?.id, account?.webhooks.length]);
  useEffect(
    () =>
      onChange(kinds, (isKnown) => {
        if (isKnown && hasDot && route.value.view !== name) unseen.value = new Set([...unseen.value, name]);
      }),
    [name],
  );
  return (
    <a href={hrefOf({ view: name })} aria-current={isCurrent ? 'page' : undefined}>
      {title}
      {data !== undefined && data > 0 && <span class="count">{data}</span>}
      {unseen.value.has(name) && <span class="dot" role="img" aria-label="changed" />}
    </a>
  );
}

async function signOut(): Promise<void> {
  await fetch('sign-in', { method: 'DELETE' });
  location.reload();
}

const THEMES = ['system', 'light', 'dark'];
const theme = signal(localStorage.getItem('theme') ?? 'system');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem('theme', theme.value);
});

function ThemeSwitch() {
  return (
    <select aria-label="Theme" value={theme.value} onChange={({ currentTarget }) => (theme.value = currentTarget.value)}>
      {THEMES.map((name) => (
        <option key={name} value={name}>
          Theme: {name}
        </option>
      ))}
    </select>
  );
}
