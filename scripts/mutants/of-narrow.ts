import { type Mutant, mutant } from './mutant.ts';

const adjustments = 'mock/domain/adjustments.ts';
const values = 'mock/domain/unique-values.ts';

const isRepeat = "if (uniqueAdjustmentId !== null && isUsed(uniqueAdjustmentId, 'adjustment', context))";
const original = 'context.state.adjustmentByUniqueId(uniqueAdjustmentId)';
const onlyWhere = (condition: string) => isRepeat.replace(/\)$/, ` && ${condition})`);
const cardOfValue = 'const card = state.cardByUniqueId(value, letterCase);';
const ofAdjustment = "if (kind === 'adjustment') return";

/** Breaks that show with some amounts, times, states and values only. */
export const narrowMutants: readonly Mutant[] = [
  // A redemption may be booked twice; a retry with another time; a refund with the value of a redemption.
  mutant('idempotency.adjustment.refuses-repeat', adjustments, isRepeat, onlyWhere(`(${original}?.amount ?? 0) >= 0`)),
  mutant(
    'idempotency.adjustment.repeat-with-other-content-refused',
    adjustments,
    isRepeat,
    onlyWhere(
      `((a: any, b: any) => a === undefined || b === undefined || Math.floor(a / 864e5) === Math.floor(b / 864e5))(${original}?.actionedAt, arguments[1].actionedAt)`,
    ),
  ),
  mutant(
    'idempotency.adjustment.repeat-with-other-content-refused',
    adjustments,
    isRepeat,
    onlyWhere(`!((amount ?? 0) > 0 && (${original}?.amount ?? 0) < 0)`),
  ),
  // Values are cut, so that two which begin alike count as one.
  mutant(
    'idempotency.adjustment.refuses-repeat',
    values,
    ofAdjustment,
    `if (kind === 'adjustment') { const cut = ((globalThis as any).cutValues ??= new Set()); const key = context.settings.currency + value.slice(0, 20); if (cut.has(key)) return true; cut.add(key); return false; } ${ofAdjustment}`,
  ),
  mutant(
    'idempotency.create.parallel-makes-one',
    values,
    cardOfValue,
    'const card = [...(state as any).cards()].find((each: any) => each.uniqueId?.slice(0, 20) === value.slice(0, 20));',
  ),
];
