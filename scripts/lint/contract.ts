import { type JsonObject, operationsOf } from '../../openapi/document.ts';
import { applyPlan } from '../../openapi/effective/apply.ts';
import { groupOverrides } from '../../openapi/effective/plan.ts';
import type { Rules } from '../generate/rule-names.ts';

/**
 * Returns a sentence for each disagreement of a question's default and the documented responses. The rows `wire` of the options are the only place
 * that says which question sets the status of which response. The rows of the default must change nothing.
 */
export function defaultProblems(contract: JsonObject, rules: Rules): string[] {
  const responsesOf = (document: JsonObject) =>
    operationsOf(document).map(({ id, node }) => [id, JSON.stringify(node.responses)]);
  const documented = Object.fromEntries(responsesOf(contract));
  return Object.entries(rules).flatMap(([name, { behaviors = {}, default: byDefault = '' }]) =>
    (behaviors[byDefault]?.wire ?? []).flatMap((row) => {
      const changed = responsesOf(applyPlan(contract, groupOverrides([row])).effective).filter(
        ([id = '', text]) => documented[id] !== text,
      );
      const { status, to } = row as { readonly status: string; readonly to: number };
      return changed.map(([id]) => `${name}: by default ${status} has the status ${to}, but ${id} documents it otherwise.`);
    }),
  );
}

/** Returns a sentence for each topic without a delivery, and for each delivery without a topic. */
export function topicProblems({ components, webhooks }: JsonObject): string[] {
  const listed = ((components as JsonObject).schemas as Record<string, JsonObject>).WebhookTopic?.enum as string[];
  const described = Object.keys(webhooks as JsonObject);
  const missing = listed.filter((each) => !described.includes(each)).map((each) => `openapi.yaml: webhooks has no ${each}.`);
  return [...missing, ...described.filter((each) => !listed.includes(each)).map((each) => `WebhookTopic has no ${each}.`)];
}
