import type { StatedClause } from '../../openapi/generated/clauses.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import { clause } from '../core/clause.ts';

/** The modules that generate input are loaded when they are needed. */
const inputs = () => Promise.all([import('../fuzz/inputs/judge.ts'), import('../fuzz/inputs/surface.ts')]);

const operations: readonly (readonly [StatedClause, OperationId])[] = [
  ['robustness.get-by-code', 'getGiftCardByCode'],
  ['robustness.get-by-id', 'getGiftCardById'],
  ['robustness.get-by-email', 'getGiftCardsByEmail'],
  ['robustness.get-by-source', 'getGiftCardByAccountPlatformIdAndSourceId'],
  ['robustness.list', 'listGiftCards'],
  ['robustness.void-by-code', 'voidGiftCardByCode'],
  ['robustness.void-by-id', 'voidGiftCardById'],
  ['robustness.history-by-code', 'listAdjustmentsByGiftCardCode'],
  ['robustness.history-by-id', 'listAdjustmentsByGiftCardId'],
  ['robustness.automation-event', 'createAutomationTriggerEvent'],
  ['robustness.company-profile', 'getCompanyProfile'],
  ['robustness.webhook-list', 'listWebhooks'],
  ['robustness.webhook-delete', 'deleteWebhook'],
];

for (const [name, operation] of operations)
  clause(name, { inputs: true }, async (t) => {
    const [{ judgeInputs }, { surfaceOf }] = await inputs();
    await judgeInputs(t, await surfaceOf(t, operation));
  });

clause('robustness.create-gift-card', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { creates }] = await inputs();
  await judgeInputs(t, await creates(t));
});

clause('robustness.adjust-by-code', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { adjustmentsByCode }] = await inputs();
  await judgeInputs(t, await adjustmentsByCode(t));
});

clause('robustness.adjust-by-id', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { adjustmentsById }] = await inputs();
  await judgeInputs(t, await adjustmentsById(t));
});

clause('robustness.webhook-create', { inputs: true }, async (t) => {
  const [[{ judgeInputs }], { registrations }] = await Promise.all([inputs(), import('../fuzz/inputs/registrations.ts')]);
  await judgeInputs(t, await registrations(t));
});
