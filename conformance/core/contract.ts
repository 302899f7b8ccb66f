import document from '../../openapi/generated/contract.json' with { type: 'json' };
import type { RuleName } from '../../openapi/generated/rules.ts';

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
