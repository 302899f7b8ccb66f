import type { Docket } from './finding.ts';
import type { Read } from './read.ts';
import { isUnread, jsonOf } from './seen.ts';

/** Statuses of refusals that have nothing to do with what is asked for, or that may come before it: of a key, a plan, a form, a rate. */
export const refusedOtherwise = new Set([401, 402, 403, 406, 408, 411, 413, 415, 429, 431]);

/** The body of a rejection whose reason is one that the specification names: a message in plain text. */
export function tellsWhyIn({ seen, status }: Read, docket: Docket): void {
  if (status !== 400) return;
  const { answer, type = '' } = seen;
  const structured = typeof jsonOf(answer) === 'object' && jsonOf(answer) !== null;
  if (isUnread(answer)) return;
  if (structured || answer.is === 'empty' || answer.is === 'blank' || /json|html|xml/.test(type)) {
    const what = structured || /json/.test(type) ? 'JSON' : answer.is === 'text' ? `a body of ${type}` : 'no message';
    docket.violates(
      'errors.rejection-is-400-plain-text',
      `A rejection came with ${what} in place of a message in plain text.`,
      seen.n,
    );
  } else docket.holds('errors.rejection-is-400-plain-text');
}
