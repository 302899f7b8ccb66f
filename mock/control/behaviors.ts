import { isObject, type JsonObject } from '../../openapi/document.ts';
import { differing } from '../../openapi/effective/behaviors.ts';
import { addRuleLines, withoutRules } from '../../openapi/effective/rule-lines.ts';
import { checkVariant, conflictsOf, VariantError } from '../../openapi/effective/variant.ts';
import { defaultBehaviors } from '../../openapi/generated/rules.ts';
import type { ContractVariant } from '../contract/effective/contract-variants.ts';
import { lockAccount } from '../pipeline/commit.ts';
import { mustCompile, mustFit } from '../variant/start.ts';
import type { Query } from './operation-types.ts';
import { ControlError, type ControlledAccount, findAccount, type InAccount, type InSandbox } from './resources.ts';

type Choices = Pick<ContractVariant, 'behaviors' | 'overrides'>;

/** The owner of a variant. Without `account`, the owner is the sandbox: its variant applies to new accounts and to requests without a key. */
interface Owned extends InSandbox {
  readonly account?: ControlledAccount | undefined;
  readonly body: unknown;
}

export const getBehaviors = ({ sandbox }: InSandbox) => behaviorsOf(sandbox.variant);
export const getBehaviorsOfAccount = ({ account }: InAccount) => behaviorsOf(account.variant);

function behaviorsOf({ behaviors, overrides }: Choices) {
  const chosen = Object.fromEntries(differing(behaviors).map((question) => [question, behaviors[question]]));
  return { behaviors: { ...behaviors }, differing: chosen, overrides: overrides.map((override) => ({ ...override })) };
}

/** Changes the given behaviors, and replaces all overrides if the body has overrides. Throws VariantError or ControlError. */
export async function changeBehaviorsOfAccount({ sandbox, account, body }: Owned) {
  const variant = checkVariant(body);
  const hasOverrides = isObject(body) && body.overrides !== undefined;
  return useChoices({ sandbox, account }, ({ behaviors, overrides }) => ({
    behaviors: { ...behaviors, ...variant.behaviors },
    overrides: hasOverrides ? variant.overrides : overrides,
  }));
}

/** Replaces all behaviors and overrides. Questions that the body does not name get their defaults. Throws VariantError or ControlError. */
export async function setBehaviorsOfAccount({ sandbox, account, body }: Owned) {
  const { behaviors, overrides } = checkVariant(body);
  return useChoices({ sandbox, account }, () => ({ behaviors: { ...defaultBehaviors, ...behaviors }, overrides }));
}

export const changeBehaviors = ({ sandbox, body }: Owned) => changeBehaviorsOfAccount({ sandbox, body });
export const setBehaviors = ({ sandbox, body }: Owned) => setBehaviorsOfAccount({ sandbox, body });

/** Changes of the same owner run one after another, so that no concurrent change is lost. */
function useChoices({ sandbox, account }: Omit<Owned, 'body'>, choose: (present: Choices) => Choices) {
  const { resets } = sandbox.accounts;
  const owner = account ?? sandbox;
  return owner.work.onVariant.run(async () => {
    const { behaviors, overrides } = choose(owner.variant);
    const problems = conflictsOf(behaviors, overrides);
    if (problems.length > 0) throw new VariantError(problems);
    const variant = await sandbox.variants.of(behaviors, overrides);
    mustCompile(variant);
    if (account) await lockAccount(account, change(account, variant));
    else if (sandbox.accounts.resets === resets) sandbox.useVariant(variant);
    else throw new ControlError(409, 'The sandbox was reset or restored during the request; send the request again.');
    return behaviorsOf(variant);
  });
}

function* change(account: ControlledAccount, variant: ContractVariant) {
  mustFit(variant, account.state.cards());
  yield* account.useVariant(variant);
}

export function getContract({ sandbox, query = {} }: InSandbox & Query<'getContract'>) {
  return effectiveDocument(
    query.account === undefined ? sandbox.variant : findAccount(sandbox, query.account).variant,
    query.rules,
  );
}

/** Returns the effective contract with its behaviors and overrides, and with the rules only if `hasRules` is true. */
export function effectiveDocument({ contract, behaviors, overrides: own }: ContractVariant, hasRules = false): JsonObject {
  const { differing: chosen, overrides } = behaviorsOf({ behaviors, overrides: own });
  // The property x-generated forbids edits of a file of this repository. A user may edit the document.
  const { 'x-generated': _, ...whole } = contract.document;
  const document = hasRules ? addRuleLines(whole, chosen as Readonly<Record<string, string>>) : withoutRules(whole);
  if (Object.keys(chosen).length === 0 && overrides.length === 0) return document;
  return { ...document, 'x-behaviors': chosen, 'x-overrides': overrides } as unknown as JsonObject;
}
