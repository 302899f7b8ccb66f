import type { StatedClause } from '../../openapi/generated/clauses.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import { clause } from '../core/clause.ts';
import { clauseTexts } from '../core/contract.ts';

// Each clause robustness.* is about one operation.
for (const [name, { operations = [] }] of clauseTexts)
  if (name.startsWith('robustness.'))
    clause(name as StatedClause, { inputs: true }, async (t) => {
      // The generator of odd input takes long to load, and most runs do not send any.
      const { checkOddInput } = await import('../fuzz/check-inputs.ts');
      await checkOddInput(t, operations[0] as OperationId);
    });
