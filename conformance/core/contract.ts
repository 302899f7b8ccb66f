import type { ClauseName } from '../../openapi/generated/clauses.ts';
import document from '../../openapi/generated/contract.json' with { type: 'json' };

/** The levels in the order of reports and of the budget. `robustness` is our own expectation, not a statement of the specification. */
export const levels = ['stated', 'ambiguous', 'robustness', 'open'] as const;

export type ShownLevel = (typeof levels)[number];

/** The parts of a clause that the suite reads. */
interface ClauseText {
  level: ShownLevel;
  /** Section and item of the specification. */
  from: string[];
  /** The statement, or the question of an open clause. */
  text: string;
  /** `control` if no request and no delivery shows the clause. */
  seen: string;
  /** Why the suite has no test of the clause. */
  reason?: string;
  operations?: readonly string[];
  /** The options of a question, by name. */
  behaviors?: Readonly<Record<string, unknown>>;
}

interface ClauseInDocument extends Omit<ClauseText, 'from' | 'text'> {
  from: string | string[];
  text?: string;
  question?: string;
  robustness?: boolean;
}

const clausesInDocument = (document as unknown as { 'x-clauses': Record<ClauseName, ClauseInDocument> })['x-clauses'];

/** All clauses, in the order of the contract. */
export const clauseTexts = new Map<ClauseName, ClauseText>(
  Object.entries(clausesInDocument).map(([name, { level, robustness, from, text, question, ...rest }]) => [
    name as ClauseName,
    { ...rest, level: robustness ? 'robustness' : level, from: [from].flat(), text: text ?? question ?? '' },
  ]),
);

export const levelOf = (name: ClauseName): ShownLevel => clauseTexts.get(name)?.level ?? 'stated';

const payload = document.components.schemas.WebhookDelivery;

/** The properties that a delivery must have, and all that a delivery may have. */
export const payloadNames = {
  required: payload.required.filter((name) => {
    const { type } = (payload.properties as Record<string, { type?: string | readonly string[] }>)[name] ?? {};
    return !type?.includes('null');
  }),
  known: Object.keys(payload.properties),
};

/** The properties of a card that the specification names. */
export const cardNames = [
  'id',
  'code',
  'balance',
  'currency',
  'status',
  'viewBalanceUrl',
  'appleWalletUrl',
  'googleWalletUrl',
] as const;

export const customFieldNames = ['customField1', 'customField2', 'customField3'] as const;

export const cardStatuses: readonly string[] = document.components.schemas.GiftCardStatus.enum;

export const camelCase = /^[a-z][a-zA-Z0-9]*$/;
