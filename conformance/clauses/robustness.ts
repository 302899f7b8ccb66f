import type { OperationId } from '../../openapi/generated/validators.js';
import { clause } from '../core/clause.ts';
import type { Trial } from '../core/trial.ts';

/** The generator of odd input takes long to load, and most runs do not send any. */
const oddInput = (operationId: OperationId) => async (t: Trial) => {
  const { checkOddInput } = await import('../fuzz/check-inputs.ts');
  await checkOddInput(t, operationId);
};

clause('robustness.create-gift-card', { inputs: true }, oddInput('createGiftCard'));
clause('robustness.get-by-code', { inputs: true }, oddInput('getGiftCardByCode'));
clause('robustness.get-by-id', { inputs: true }, oddInput('getGiftCardById'));
clause('robustness.get-by-email', { inputs: true }, oddInput('getGiftCardsByEmail'));
clause('robustness.get-by-source', { inputs: true }, oddInput('getGiftCardByAccountPlatformIdAndSourceId'));
clause('robustness.list', { inputs: true }, oddInput('listGiftCards'));
clause('robustness.void-by-code', { inputs: true }, oddInput('voidGiftCardByCode'));
clause('robustness.void-by-id', { inputs: true }, oddInput('voidGiftCardById'));
clause('robustness.history-by-code', { inputs: true }, oddInput('listAdjustmentsByGiftCardCode'));
clause('robustness.history-by-id', { inputs: true }, oddInput('listAdjustmentsByGiftCardId'));
clause('robustness.adjust-by-code', { inputs: true }, oddInput('addAdjustmentByGiftCardCode'));
clause('robustness.adjust-by-id', { inputs: true }, oddInput('addAdjustmentByGiftCardId'));
clause('robustness.automation-event', { inputs: true }, oddInput('createAutomationTriggerEvent'));
clause('robustness.company-profile', { inputs: true }, oddInput('getCompanyProfile'));
clause('robustness.webhook-list', { inputs: true }, oddInput('listWebhooks'));
clause('robustness.webhook-create', { inputs: true }, oddInput('createWebhook'));
clause('robustness.webhook-delete', { inputs: true }, oddInput('deleteWebhook'));
