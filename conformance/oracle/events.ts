import { arrays, leaves, mentions } from '../http/structure.ts';
import type { Docket } from '../proxy/finding.ts';
import { type Read, textIn } from '../proxy/read.ts';
import { isBefore, type Span, withinDay } from './span.ts';

/** An event with an idempotency key whose answer shows that an automation ran. */
interface Run {
  readonly span: Span;
  readonly key: string;
  readonly name: string | undefined;
  readonly recipient: string | undefined;
}

/** The events of an account that ran automations, as far as their answers say so. */
export class SeenEvents {
  readonly #runs = new Map<string, Run[]>();

  learn(read: Read): void {
    const run = runOf(read);
    if (run && read.accepted && hasRun(read.told)) this.#runs.set(run.key, [...(this.#runs.get(run.key) ?? []), run]);
  }

  /** One that ran with the key is skipped; another one may have become active meanwhile, which the dashboard can do. */
  judge(read: Read, docket: Docket): void {
    const run = runOf(read);
    if (!run || !read.accepted) return;
    const { seen, told } = read;
    const before = this.#runs
      .get(run.key)
      ?.find(
        ({ span, name, recipient }) =>
          isBefore(span, seen) && withinDay(span, seen) && name === run.name && recipient === run.recipient,
      );
    if (!before) return;
    const isSkipped = leaves(told).some(({ value }) => /^Skipped/.test(String(value)));
    if (isSkipped && !hasRun(told)) docket.holds('idempotency.automation.skips-repeat');
    else if (!isSkipped && hasRun(told))
      docket.contradicts(
        'idempotency.automation.skips-repeat',
        `The event of exchange ${before.span.n} was sent again with its idempotency_key, and ran again.`,
        before.span.n,
        seen.n,
      );
  }
}

function runOf({ seen, operation, asked = {} }: Read): Run | undefined {
  const key = textIn(asked.idempotency_key);
  if (operation !== 'createAutomationTriggerEvent' || key === undefined) return undefined;
  return { span: seen, key, name: textIn(asked.event_name), recipient: textIn(asked.recipient_email) };
}

/** Whether a record in a list of the answer has the status of what issued its reward. */
const hasRun = (told: unknown): boolean =>
  arrays(told)
    .flat()
    .some((each) => mentions(each, 'Created'));
