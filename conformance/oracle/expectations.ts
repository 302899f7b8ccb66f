import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import type { Account } from './account.ts';
import { checkAdjustment } from './adjusting.ts';
import type { Call } from './call.ts';
import { checkHistory, checkLookup, checkVoid } from './card-state.ts';
import { checkCreate } from './creating.ts';
import type { Findings } from './findings.ts';
import { checkList } from './list.ts';
import { recordAdjustment, recordCreate, recordLookup, recordVoid } from './record.ts';

export interface OperationExpectation {
  /** The clause that states the answer of a success. */
  readonly clause: ClauseName;
  /** The body of a success. `any`: the specification does not show it, and it may be empty. */
  readonly body: 'card' | 'list' | 'true' | 'json' | 'any';
  /** Notes the effect of a call on the account. */
  readonly record?: (call: Call, account: Account) => void;
  /** Checks a call against what the account is known to have. */
  readonly check?: (call: Call, account: Account, findings: Findings, clause: ClauseName) => void;
}

const lookup = { body: 'card', record: recordLookup, check: checkLookup } as const;
const cardVoid = { body: 'any', record: recordVoid, check: checkVoid } as const;
const history = { body: 'json', check: checkHistory } as const;
const adjustment = { body: 'true', record: recordAdjustment, check: checkAdjustment } as const;

/** What the specification states about each operation. It states nothing about coupons. */
export const expectations: Readonly<Partial<Record<OperationId, OperationExpectation>>> = {
  createGiftCard: { clause: 'gift-card.create.answers-200', body: 'card', record: recordCreate, check: checkCreate },
  getGiftCardByCode: { clause: 'gift-card.get-by-code.returns-the-card', ...lookup },
  getGiftCardById: { clause: 'gift-card.get-by-id.returns-the-card', ...lookup },
  getGiftCardsByEmail: { clause: 'gift-card.get-by-email.finds-cards-sent-to-recipient', body: 'any' },
  getGiftCardByAccountPlatformIdAndSourceId: { clause: 'gift-card.get-by-source.finds-channel-card', body: 'any' },
  listGiftCards: { clause: 'list.wraps-cards-and-total', body: 'list', check: checkList },
  voidGiftCardByCode: { clause: 'gift-card.void.by-code-voids', ...cardVoid },
  voidGiftCardById: { clause: 'gift-card.void.by-id-voids', ...cardVoid },
  listAdjustmentsByGiftCardCode: { clause: 'adjustment.history.by-code-shows-card-and-entries', ...history },
  listAdjustmentsByGiftCardId: { clause: 'adjustment.history.by-id-shows-card-and-entries', ...history },
  addAdjustmentByGiftCardCode: { clause: 'adjustment.answers-200', ...adjustment },
  addAdjustmentByGiftCardId: { clause: 'adjustment.answers-200', ...adjustment },
  createAutomationTriggerEvent: { clause: 'automation.answers-cards-and-runs', body: 'any' },
  getCompanyProfile: { clause: 'company.profile-answers', body: 'json' },
  listWebhooks: { clause: 'webhook.list.of-account', body: 'json' },
  createWebhook: { clause: 'webhook.create.answers-200', body: 'any' },
  deleteWebhook: { clause: 'webhook.delete.removes', body: 'any' },
};
