import type { Reply } from '../control/handed.ts';
import type { Call } from './call.ts';
import type { Body } from './input.ts';

/** The account's sales channels, and the cards as each has them. */
export interface Channels {
  list(): Promise<Reply<'listChannels'>>;
  /** Puts a channel beside the others, or changes the one of that id. */
  connect(channel: Body<'connectChannel'>): Promise<Reply<'connectChannel'>>;
  change(channel: string, changes: Body<'changeChannel'>): Promise<Reply<'changeChannel'>>;
  disconnect(channel: string): Promise<void>;
  /** Changes a balance inside the channel alone, outside an order or sale: it drifts until an adjustment in the service corrects it. */
  changeBalance(channel: string, card: string, balance: number): Promise<Reply<'changeBalanceInChannel'>>;
  /** The channel refuses the card from now on, and shows a sync error. */
  fail(channel: string, card: string, error?: Body<'failInChannel'>): Promise<Reply<'failInChannel'>>;
  retry(channel: string, card: string): Promise<Reply<'retryInChannel'>>;
}

export function channelsOf(call: Call, path: { readonly account: string }): Channels {
  const at = (channel: string, card: string) => ({ ...path, channel, card });
  return {
    list: () => call('listChannels', { path }),
    connect: (body) => call('connectChannel', { path, body }),
    change: (channel, body) => call('changeChannel', { path: { ...path, channel }, body }),
    disconnect: async (channel) => void (await call('disconnectChannel', { path: { ...path, channel } })),
    changeBalance: (channel, card, balance) => call('changeBalanceInChannel', { path: at(channel, card), body: { balance } }),
    fail: (channel, card, body) => call('failInChannel', { path: at(channel, card), body: body ?? {} }),
    retry: (channel, card) => call('retryInChannel', { path: at(channel, card) }),
  };
}
