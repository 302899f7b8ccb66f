import { problems } from '../../pipeline/problems.ts';
import type { Refusal } from '../../pipeline/refusal.ts';
import type { RefusalAnswer } from '../answers.ts';

/**
 * The body for a request that has not its form where a reading has it in JSON (errors.every-rejection-plain-text): what the contract says, and every
 * field at fault with what is wrong with it.
 */
export function rejection({ code, about, others }: Refusal, answer: RefusalAnswer): string {
  const reasons = [about, ...others];
  const errors = new Map<string, string[]>();
  for (const reason of reasons) {
    // Each begins with the name of its field.
    const end = reason.indexOf(' ');
    const field = reason.slice(0, end);
    errors.set(field, [...(errors.get(field) ?? []), reason.slice(end + 1)]);
  }
  return answer.body(problems[code].text(reasons.join('; ')), Object.fromEntries(errors));
}
