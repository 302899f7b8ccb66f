import type { RefusalAnswer } from './contract.ts';
import { problems } from './problems.ts';
import type { Refusal } from './refusal.ts';

const MISSING = / is missing$/;

/**
 * The answer to a request that has not its form where a reading has it in JSON (errors.every-rejection-plain-text): what the contract says, and every
 * field at fault with what is wrong with it. A required field that is missing is told in plain text, as it stands in the list of reasons.
 */
export function rejection(
  { code, about, others }: Refusal,
  answer: RefusalAnswer,
): Pick<RefusalAnswer, 'mediaType'> & { body: string } {
  const reasons = [about, ...others];
  const message = problems[code].text(reasons.join('; '));
  if (reasons.every((reason) => MISSING.test(reason))) return { mediaType: 'text/plain', body: message };
  const errors: Record<string, string[]> = {};
  for (const reason of reasons) {
    // Each begins with the name of its field.
    const end = reason.indexOf(' ');
    const field = reason.slice(0, end);
    errors[field] = [...(errors[field] ?? []), reason.slice(end + 1)];
  }
  return { mediaType: answer.mediaType, body: JSON.stringify({ ...JSON.parse(answer.body(message)), errors }) };
}
