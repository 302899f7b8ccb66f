import type { Mutant } from './mutant.ts';
import { accountMutants } from './of-accounts.ts';
import { adjustmentMutants } from './of-adjustments.ts';
import { cardMutants } from './of-cards.ts';
import { listMutants } from './of-lists.ts';

export const mutants: readonly Mutant[] = [...accountMutants, ...cardMutants, ...adjustmentMutants, ...listMutants];
