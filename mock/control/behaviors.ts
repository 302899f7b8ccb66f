import { isObject, type JsonObject } from '../../openapi/document.ts';
import { differing } from '../../openapi/effective/behaviors.ts';
import { withBehaviors } from '../../openapi/effective/clause-lines.ts';
import { defaultBehaviors } from '../../openapi/generated/clauses.ts';
import { checkVariant, conflictsOf, VariantError } from '../../openapi/variant/variant.ts';
import type { Account } from '../account/account.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { ContractVariant } from '../contract/effective/contract-variants.ts';
import { mustCompile } from '../variant/start.ts';
import { mustBeThere } from './accounts.ts';
import { ControlError } from './control-error.ts';

/** An account, or the sandbox: how it answers those whose account is not known, and what later accounts begin with. */
type Speaker = Account | Sandbox;

type Spoken = Pick<ContractVariant, 'behaviors' | 'overrides'>;

/** The reading of every clause, those that are not the default, and rows of one's own. */
export function behaviorsOf({ behaviors, overrides }: Spoken) {
  const chosen = Object.fromEntries(differing(behaviors).map((clause) => [clause, behaviors[clause]]));
  return { behaviors: { ...behaviors }, differing: chosen, overrides: overrides.map((row) => ({ ...row })) };
}

/** Takes other behaviors of the clauses that are named, and other rows where there are any; everything else stays. Throws VariantError, or ControlError where the speaker is gone meanwhile. */
export async function changeBehaviors(sandbox: Sandbox, speaker: Speaker, given: unknown) {
  const variant = checkVariant(given);
  const hasOverrides = isObject(given) && given.overrides !== undefined;
  return take(sandbox, speaker, ({ behaviors, overrides }) => ({
    behaviors: { ...behaviors, ...variant.behaviors },
    overrides: hasOverrides ? variant.overrides : overrides,
  }));
}

/** Takes these behaviors and rows, and the default of every other clause. Throws as `changeBehaviors` does. */
export async function setBehaviors(sandbox: Sandbox, speaker: Speaker, given: unknown) {
  const variant = checkVariant(given);
  return take(sandbox, speaker, () => ({
    behaviors: { ...defaultBehaviors, ...variant.behaviors },
    overrides: variant.overrides,
  }));
}

/** `wanted` is asked when all who came before are done, so that what they changed is not lost. */
function take(sandbox: Sandbox, speaker: Speaker, wanted: (present: Spoken) => Spoken) {
  const { resets } = sandbox;
  return speaker.variantQueue.take(async () => {
    const { behaviors, overrides } = wanted(speaker);
    const problems = conflictsOf(behaviors, overrides);
    if (problems.length > 0) throw new VariantError(problems);
    const variant = await sandbox.variants.of(behaviors, overrides);
    mustCompile(variant);
    if ('effects' in speaker) mustBeThere(speaker);
    else if (sandbox.resets !== resets) throw new ControlError(409, 'The sandbox was reset or restored meanwhile; ask again.');
    speaker.useVariant(variant);
    return behaviorsOf(variant);
  });
}

/** The contract as it is spoken, which also says which behaviors it comes of. */
export function documentOf({ contract, behaviors, overrides }: ContractVariant): JsonObject {
  const document = contract.document;
  const told = behaviorsOf({ behaviors, overrides });
  if (Object.keys(told.differing).length === 0 && overrides.length === 0) return document;
  const described = withBehaviors(document, told.differing as Readonly<Record<string, string>>);
  return { ...described, 'x-behaviors': told.differing, 'x-overrides': told.overrides } as unknown as JsonObject;
}
