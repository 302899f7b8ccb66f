import { isObject, type JsonObject } from '../../openapi/document.ts';
import { differing } from '../../openapi/effective/behaviors.ts';
import { withBehaviors } from '../../openapi/effective/clause-lines.ts';
import { defaultBehaviors } from '../../openapi/generated/clauses.ts';
import { checkVariant, conflictsOf, VariantError } from '../../openapi/variant/variant.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { ContractVariant } from '../contract/effective/contract-variants.ts';
import { mustCompile } from '../variant/start.ts';
import { ControlError, type ControlledAccount, mustExist } from './resources.ts';

/** An account, or the sandbox, whose variant applies to requests without an account and to new accounts. */
type Owner = Pick<ControlledAccount, 'behaviors' | 'overrides' | 'variantQueue' | 'useVariant'> &
  Partial<Pick<ControlledAccount, 'id' | 'effects'>>;

type Choices = Pick<ContractVariant, 'behaviors' | 'overrides'>;

export function behaviorsOf({ behaviors, overrides }: Choices) {
  const chosen = Object.fromEntries(differing(behaviors).map((clause) => [clause, behaviors[clause]]));
  return { behaviors: { ...behaviors }, differing: chosen, overrides: overrides.map((override) => ({ ...override })) };
}

/** Changes the named behaviors and, if there are any, replaces all overrides. Throws VariantError or ControlError. */
export async function changeBehaviors(sandbox: Sandbox, owner: Owner, given: unknown) {
  const variant = checkVariant(given);
  const hasOverrides = isObject(given) && given.overrides !== undefined;
  return use(sandbox, owner, ({ behaviors, overrides }) => ({
    behaviors: { ...behaviors, ...variant.behaviors },
    overrides: hasOverrides ? variant.overrides : overrides,
  }));
}

/** Replaces all behaviors and overrides; clauses that are not named get their defaults. Throws VariantError or ControlError. */
export async function setBehaviors(sandbox: Sandbox, owner: Owner, given: unknown) {
  const { behaviors, overrides } = checkVariant(given);
  return use(sandbox, owner, () => ({ behaviors: { ...defaultBehaviors, ...behaviors }, overrides }));
}

/** `choose` is called after all earlier changes, so that it keeps them. */
function use(sandbox: Sandbox, owner: Owner, choose: (present: Choices) => Choices) {
  const { resets } = sandbox;
  return owner.variantQueue.run(async () => {
    const { behaviors, overrides } = choose(owner);
    const problems = conflictsOf(behaviors, overrides);
    if (problems.length > 0) throw new VariantError(problems);
    const variant = await sandbox.variants.of(behaviors, overrides);
    mustCompile(variant);
    const { id, effects } = owner;
    if (id !== undefined && effects) mustExist({ id, effects });
    else if (sandbox.resets !== resets)
      throw new ControlError(409, 'The sandbox was reset or restored during the request; send it again.');
    owner.useVariant(variant);
    return behaviorsOf(variant);
  });
}

/** The effective contract, with the behaviors and overrides behind it. */
export function documentOf({ contract, behaviors, overrides: own }: ContractVariant): JsonObject {
  const { document } = contract;
  const { differing: chosen, overrides } = behaviorsOf({ behaviors, overrides: own });
  if (Object.keys(chosen).length === 0 && overrides.length === 0) return document;
  const described = withBehaviors(document, chosen as Readonly<Record<string, string>>);
  return { ...described, 'x-behaviors': chosen, 'x-overrides': overrides } as unknown as JsonObject;
}
