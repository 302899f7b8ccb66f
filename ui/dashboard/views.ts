import type { ComponentType } from 'preact';
import { control, dataOf, here } from './client.ts';
import type { Kind } from './live.ts';
import { selectedAccount } from './session.ts';
import { AdviceView } from './views/advice.tsx';
import { BehaviorsView } from './views/behaviors.tsx';
import { CardsView } from './views/cards.tsx';
import { EmailsView } from './views/emails.tsx';
import { FaultsView } from './views/faults.tsx';
import { ReferenceView } from './views/reference.tsx';
import { RequestsView } from './views/requests.tsx';
import { TimeView } from './views/time.tsx';
import { WebhooksView } from './views/webhooks.tsx';

export interface DashboardView {
  /** The word in the address. */
  readonly name: string;
  readonly title: string;
  readonly show: ComponentType;
  /** Changes of these kinds mark the view with a dot until the user opens it, and count again. */
  readonly kinds: readonly Kind[];
  /** False if most changes of these kinds show nothing new in the view. */
  readonly hasDot?: false;
  /** The number next to the title; undefined for none. */
  readonly count?: () => Promise<number | undefined>;
}

/** The views, in the order of the sidebar. */
export const views: readonly DashboardView[] = [
  {
    name: 'cards',
    title: 'Cards',
    show: CardsView,
    kinds: ['cards'],
    count: async () => {
      const params = { path: here(), query: { limit: 1 } };
      return (await dataOf(control.GET('/accounts/{account}/cards', { params }))).total;
    },
  },
  { name: 'requests', title: 'Requests', show: RequestsView, kinds: ['journal'] },
  { name: 'emails', title: 'Emails', show: EmailsView, kinds: ['emails', 'suppressed'] },
  {
    name: 'webhooks',
    title: 'Webhooks',
    show: WebhooksView,
    kinds: ['deliveries', 'account'],
    count: async () => selectedAccount()?.webhooks.length,
  },
  { name: 'time', title: 'Time', show: TimeView, kinds: [] },
  {
    name: 'faults',
    title: 'Faults',
    show: FaultsView,
    kinds: ['faults'],
    count: async () => (await dataOf(control.GET('/accounts/{account}/faults', { params: { path: here() } }))).length,
  },
  { name: 'behaviors', title: 'Behaviors', show: BehaviorsView, kinds: ['behaviors'] },
  { name: 'reference', title: 'Reference', show: ReferenceView, kinds: [] },
  {
    name: 'advice',
    title: 'Advice',
    show: AdviceView,
    kinds: ['journal'],
    hasDot: false,
    count: async () => (await dataOf(control.GET('/accounts/{account}/advice', { params: { path: here() } }))).length,
  },
];
