import { NOON } from '../testing/fixture.ts';
import type { Probes } from './probe.ts';

const SHOP = { channels: [{ id: 'shop', name: 'Shop' }] };
const THANKS = { name: 'Thanks', trigger: 'ApiEvent', eventName: 'review', amount: 5, active: true } as const;

/** The questions of openapi/clauses/channels.yaml. */
export const channelsProbes = {
  'channels.automation-cards': {
    account: { ...SHOP, automations: [THANKS] },
    observe: async ({ ask, account, adjust, sandbox }) => {
      const event = { event_name: 'review', recipient_email: 'rita@example.com' };
      const [card] = ask('POST', '/api/AutomationTriggerEvents', event).body.gift_cards;
      await sandbox.settled();
      adjust(card.code, -1); // Even then: what was never added is not changed there.
      await sandbox.settled();
      return account.state.listingsOf(card.id).length;
    },
    shows: { added: 1, 'not-added': 0 },
  },
  'channels.expiry': {
    account: SHOP,
    observe: async ({ create, account, at, sandbox }) => {
      const pushed: string[] = [];
      create({ expiresAtUtc: '2026-01-16T12:00:00Z' });
      await sandbox.settled();
      account.effects.watch((happened) => {
        if (happened.kind === 'push') pushed.push(happened.card.status);
      });
      at(NOON + 86_400_000);
      await sandbox.settled();
      return pushed;
    },
    shows: { pushed: ['Expired'], kept: [] },
  },
} satisfies Partial<Probes>;
