import type { Comparison } from './comparison.ts';
import { comparisonText } from './text.ts';

interface Form {
  /** What its file is called. */
  readonly file: string;
  readonly render: (comparison: Comparison) => string;
}

export type FormName = 'text' | 'json';

/** Every form is a pure function of the comparison. */
export const comparisonForms: Readonly<Record<FormName, Form>> = {
  text: { file: 'comparison.txt', render: comparisonText },
  json: { file: 'comparison.json', render: (comparison) => `${JSON.stringify(comparison, null, 2)}\n` },
};
