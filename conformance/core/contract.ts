import { UsageError } from '../../cli/usage-error.ts';
import document from '../../openapi/generated/contract.json' with { type: 'json' };
import type { RuleName } from '../../openapi/generated/rules.ts';
import { didYouMean } from '../../openapi/input/closest.ts';
import { cliName } from './text.ts';

/** The levels of rules, most important first. Reports list the rules in this order, and budgets prefer the first levels. Questions have the level `ambiguous` or `open`. An expectation has the level `robustness`: it is more than the specification states. */
export const levels = ['stated', 'ambiguous', 'robustness', 'open'] as const;

export type ShownLevel = (typeof levels)[number];

interface RuleInDocument {
  level: Exclude<ShownLevel, 'robustness'>;
  robustness?: boolean;
  from: string | string[];
  /** The sentence of the rule. A question has `question` instead. */
  text?: string;
  question?: string;
  /** Where a test can observe the rule. `control` means: not in a response and not in a delivery. */
  seen: string;
  /** The reason why the suite has no test of the rule. */
  reason?: string;
  operations?: readonly string[];
  behaviors?: Readonly<Record<string, unknown>>;
}

const rulesInDocument = (document as unknown as { 'x-rules': Record<RuleName, RuleInDocument> })['x-rules'];

export const ruleTexts = new Map(
  Object.entries(rulesInDocument).map(([name, { level, robustness, from, text, question, ...rest }]) => {
    const shown: ShownLevel = robustness ? 'robustness' : level;
    return [name as RuleName, { ...rest, level: shown, from: [from].flat(), text: text ?? question ?? '' }];
  }),
);

export const levelOf = (name: RuleName): ShownLevel => ruleTexts.get(name)?.level ?? 'stated';

interface Selection {
  /** Names or patterns, in which * matches any text. An empty list selects all rules. */
  names: readonly string[];
  skip: readonly string[];
  level: ShownLevel | undefined;
}

/** Returns the selected rules in the contract's order. Throws UsageError if a pattern matches no rule or no rule is left. */
export function select({ names, skip, level }: Selection): RuleName[] {
  const all = [...ruleTexts.keys()];
  const matches = (pattern: string): RuleName[] => {
    const expression = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
    const found = all.filter((name) => expression.test(name));
    if (found.length > 0) return found;
    const groups = all.flatMap((name) => Array.from(name.matchAll(/\./g), ({ index }) => `${name.slice(0, index)}.*`));
    throw new UsageError(
      `No rule matches "${pattern}".${didYouMean(pattern, [...all, ...new Set(groups)])} See them all with: ${cliName} list`,
    );
  };
  const wanted = new Set(names.length === 0 ? all : names.flatMap(matches));
  for (const name of skip.flatMap(matches)) wanted.delete(name);
  const selected = all.filter((name) => wanted.has(name) && (level === undefined || levelOf(name) === level));
  if (selected.length === 0) throw new UsageError('The names, --skip and --level together leave no rule to run.');
  return selected;
}

const payload = document.components.schemas.WebhookDelivery;

export const payloadNames = {
  required: payload.required.filter((name) => {
    const { type } = (payload.properties as Record<string, { type?: string | readonly string[] }>)[name] ?? {};
    return !type?.includes('null');
  }),
  known: Object.keys(payload.properties),
};

export const cardNames = ['id', 'code', 'balance', 'currency', 'status', 'viewBalanceUrl', 'appleWalletUrl', 'googleWalletUrl'];

export const customFieldNames = ['customField1', 'customField2', 'customField3'] as const;

export const cardStatuses: readonly string[] = document.components.schemas.GiftCardStatus.enum;

export const camelCase = /^[a-z][a-zA-Z0-9]*$/;
