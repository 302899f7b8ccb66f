import { clause } from '../core/clause.ts';

/** What makes the input is loaded when it is needed. */
const inputs = () => Promise.all([import('../fuzz/inputs/judge.ts'), import('../fuzz/inputs/surface.ts')]);

clause('robustness.create-gift-card', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { creates }] = await inputs();
  await judgeInputs(t, await creates(t));
});

clause('robustness.get-by-code', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { surfaceOf }] = await inputs();
  await judgeInputs(t, await surfaceOf(t, 'getGiftCardByCode'));
});

clause('robustness.get-by-id', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { surfaceOf }] = await inputs();
  await judgeInputs(t, await surfaceOf(t, 'getGiftCardById'));
});

clause('robustness.get-by-email', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { surfaceOf }] = await inputs();
  await judgeInputs(t, await surfaceOf(t, 'getGiftCardsByEmail'));
});

clause('robustness.get-by-source', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { surfaceOf }] = await inputs();
  await judgeInputs(t, await surfaceOf(t, 'getGiftCardByAccountPlatformIdAndSourceId'));
});

clause('robustness.list', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { surfaceOf }] = await inputs();
  await judgeInputs(t, await surfaceOf(t, 'listGiftCards'));
});

clause('robustness.void-by-code', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { surfaceOf }] = await inputs();
  await judgeInputs(t, await surfaceOf(t, 'voidGiftCardByCode'));
});

clause('robustness.void-by-id', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { surfaceOf }] = await inputs();
  await judgeInputs(t, await surfaceOf(t, 'voidGiftCardById'));
});

clause('robustness.history-by-code', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { surfaceOf }] = await inputs();
  await judgeInputs(t, await surfaceOf(t, 'listAdjustmentsByGiftCardCode'));
});

clause('robustness.history-by-id', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { surfaceOf }] = await inputs();
  await judgeInputs(t, await surfaceOf(t, 'listAdjustmentsByGiftCardId'));
});

clause('robustness.adjust-by-code', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { adjustmentsByCode }] = await inputs();
  await judgeInputs(t, await adjustmentsByCode(t));
});

clause('robustness.adjust-by-id', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { adjustmentsById }] = await inputs();
  await judgeInputs(t, await adjustmentsById(t));
});

clause('robustness.automation-event', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { surfaceOf }] = await inputs();
  await judgeInputs(t, await surfaceOf(t, 'createAutomationTriggerEvent'));
});

clause('robustness.company-profile', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { surfaceOf }] = await inputs();
  await judgeInputs(t, await surfaceOf(t, 'getCompanyProfile'));
});

clause('robustness.webhook-list', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { surfaceOf }] = await inputs();
  await judgeInputs(t, await surfaceOf(t, 'listWebhooks'));
});

clause('robustness.webhook-create', { inputs: true }, async (t) => {
  const [[{ judgeInputs }], { registrations }] = await Promise.all([inputs(), import('../fuzz/inputs/registrations.ts')]);
  await judgeInputs(t, await registrations(t));
});

clause('robustness.webhook-delete', { inputs: true }, async (t) => {
  const [{ judgeInputs }, { surfaceOf }] = await inputs();
  await judgeInputs(t, await surfaceOf(t, 'deleteWebhook'));
});
