import type { StatedClause } from '../../openapi/generated/clauses.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import { clause } from '../core/clause.ts';
import { clauseTexts } from '../core/contract.ts';

for (const [name, { operations = [] }] of clauseTexts)
  if (name.startsWith('robustness.'))
    clause(name as StatedClause, { inputs: true }, async (t) => {
      // The import is dynamic, because the generator of odd input loads slowly and most runs send no odd input.
      const { checkOddInput } = await import('../fuzz/check-inputs.ts');
      await checkOddInput(t, operations[0] as OperationId);
    });
