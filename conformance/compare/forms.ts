import type { Comparison } from './comparison.ts';
import { comparisonPage } from './html.ts';
import { comparisonText } from './text.ts';

interface Form {
  /** What its file is called. */
  readonly file: string;
  readonly render: (comparison: Comparison) => string;
}

export type FormName = 'text' | 'json' | 'html';

/** Every form is a pure function of the comparison. */
export const comparisonForms: Readonly<Record<FormName, Form>> = {
  text: { file: 'comparison.txt', render: comparisonText },
  html: { file: 'comparison.html', render: comparisonPage },
  json: { file: 'comparison.json', render: (comparison) => `${JSON.stringify(comparison, null, 2)}\n` },
};
