import type { Service } from './state.ts';

export interface StrangeCard {
  id: number;
  code: string;
  cents: number;
  status: string;
  fields: Record<string, unknown>;
  issued: number;
  touched: number;
  /** Ever loaded. */
  loaded: number;
  history: { cents: number; memo: unknown; happened: string; recorded: string }[];
  /** When its gift is delivered. */
  opens?: number;
  voucher?: boolean;
  deleted?: boolean;
}

interface StrangeHook {
  hookId: number;
  target: string;
  secret: unknown;
  label: unknown;
  failed: number;
}

/** An automation: what it waits for, what its card is worth unless somebody says so, and how often it runs; the keys of its runs. */
interface StrangeRule {
  rule: number;
  on: string;
  worth: number;
  limit: number;
  runs: Set<unknown>;
}

export interface StrangeAccount {
  service: Service;
  cards: StrangeCard[];
  used: Set<string>;
  hooks: StrangeHook[];
  rules: StrangeRule[];
  currency: string;
  /** Days that a card lives which says nothing of it; 0 for ever. */
  lifetime: number;
  /** The minute of its clock that it counts in, and the requests of that minute, refused ones among them. */
  minute: number;
  asked: number;
}

/** One in which two automations wait for a party, one for a first visit and once only. */
export const account = (service: Service, lifetime: number): StrangeAccount => ({
  service,
  cards: [],
  used: new Set(),
  hooks: [],
  rules: [
    { rule: 11, on: 'party', worth: 7, limit: Number.POSITIVE_INFINITY, runs: new Set() },
    { rule: 12, on: 'party', worth: 3, limit: Number.POSITIVE_INFINITY, runs: new Set() },
    { rule: 13, on: 'first visit', worth: 2, limit: 1, runs: new Set() },
  ],
  currency: service.ways.currency,
  lifetime,
  minute: 0,
  asked: 0,
});
