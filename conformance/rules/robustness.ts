import type { StatedRule } from '../../openapi/generated/rules.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import { ruleTexts } from '../core/contract.ts';
import { rule } from '../core/rule.ts';

for (const [name, { operations = [] }] of ruleTexts)
  if (name.startsWith('robustness.'))
    rule(name as StatedRule, { inputs: true }, async (t) => {
      // The import is dynamic, because the generator of odd input loads slowly and most runs send no odd input.
      const { checkOddInput } = await import('../fuzz/check-inputs.ts');
      await checkOddInput(t, operations[0] as OperationId);
    });
