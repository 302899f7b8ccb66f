import type { Behaviors } from '../../openapi/generated/rules.ts';
import type { Log } from '../account/log.ts';
import type { ApiKey, Settings } from '../account/settings.ts';
import type { Contract } from '../contract/contract.ts';
import type { CardPages } from '../contract/render/card.ts';
import type { Faults } from '../faults/faults.ts';
import type { ChangeSummary } from '../journal/change-summary.ts';
import type { Journal } from '../journal/journal.ts';
import type { Change } from '../state/change.ts';
import type { Persist } from '../state/persist.ts';
import type { View } from '../state/view.ts';
import type { Post } from './post.ts';

/** The parts of an account that its effects need. */
export interface OutboundAccount {
  readonly id: string;
  readonly keys: readonly ApiKey[];
  readonly settings: Settings;
  readonly behaviors: Behaviors;
  readonly contract: Contract;
  readonly services: {
    readonly cardPages: CardPages;
    readonly post: Post;
    readonly log: Pick<Log, 'delivery' | 'email'>;
    /** `stored` resolves when all changes are in the store. It returns undefined without a store. */
    readonly rows: { stored(): Promise<void> | undefined };
    defect(error: unknown): void;
  };
  readonly state: Pick<View, 'card' | 'webhook' | 'webhooks' | 'listing'>;
  readonly clock: { now(): number };
  readonly random: { guid(): string };
  readonly faults: Faults | undefined;
  readonly journal: Pick<Journal, 'changed' | 'disabled'>;
  readonly persist: Persist;
  apply(changes: readonly Change[]): readonly ChangeSummary[];
}
