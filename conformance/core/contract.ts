import type { ClauseName } from '../../openapi/generated/clauses.ts';
import document from '../../openapi/generated/contract.json' with { type: 'json' };

type Level = 'stated' | 'ambiguous' | 'open';

/**
 * How reports sort clauses, what matters most first; a run with a budget spends it in this order, too. What is our own expectation, though it follows from a
 * statement, is never called stated.
 */
export const levels = ['stated', 'ambiguous', 'robustness', 'open'] as const satisfies readonly (Level | 'robustness')[];

export type ShownLevel = (typeof levels)[number];

/** A clause as the contract describes it; the part of it that the suite reads. */
interface ClauseText {
  level: Level;
  /** Section and item of the specification, one or several. */
  from: string[];
  /** The statement, or the question of a clause that states nothing. */
  text: string;
  seen: 'api' | 'webhook' | 'fixture' | 'clock' | 'control' | 'none';
  /** Why nothing outside the service can see it. */
  reason?: string;
  robustness?: boolean;
  /** Which operations of the contract it is about, where it is about some. */
  operations?: readonly string[];
  /** The answers that a question was given beforehand, by name. */
  behaviors?: Readonly<Record<string, unknown>>;
}

interface Written extends Omit<ClauseText, 'from' | 'text'> {
  from: string | string[];
  text?: string;
  question?: string;
}

const written = (document as unknown as { 'x-clauses': Record<ClauseName, Written> })['x-clauses'];

export const shownLevel = ({ level, robustness }: ClauseText): ShownLevel => (robustness ? 'robustness' : level);

interface Property {
  readonly type?: string | readonly string[];
}
const payload = document.components.schemas.WebhookDelivery;

/** What a delivery has in any case, by name, and what it may have. */
export const payloadNames = {
  required: payload.required.filter((name) => {
    const { type } = (payload.properties as Record<string, Property>)[name] ?? {};
    return !type?.includes('null');
  }),
  known: Object.keys(payload.properties),
};

/** How reports sort the clause of that name. */
export const levelOf = (name: ClauseName): ShownLevel => {
  const clause = clauseTexts.get(name);
  return clause ? shownLevel(clause) : 'stated';
};

/** All clauses of the contract, in its order. */
export const clauseTexts = new Map<ClauseName, ClauseText>(
  Object.entries(written).map(([name, { from, text, question, ...rest }]) => [
    name as ClauseName,
    { ...rest, from: [from].flat(), text: text ?? question ?? '' },
  ]),
);
