import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { clauseValues } from '../../openapi/generated/clauses.ts';
import { shortList } from '../core/card-list.ts';
import { baseUrlHint, describeTrouble, preflight, type ReadResult, tryRead, webhooksPresent } from '../core/preflight.ts';
import type { Session } from '../core/session.ts';
import { excerpt, formatCount } from '../core/text.ts';
import type { Answer } from '../http/exchange.ts';
import { describeDamage, leftoversIn } from '../safety/leftovers.ts';
import { policyOf } from '../safety/policy.ts';
import { Connection } from './connection.ts';
import type { CliContext } from './context.ts';
import { exitNotes, removedFlags, targetFlags, webhookFlags } from './flags.ts';
import { checkProfileCards, checkProfileKeys } from './profile-check.ts';
import { ledgerFrom, targetFrom } from './target.ts';

export const doctorCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'doctor',
    summary: 'Checks whether a run can start: key, profile, clock, rate limit, webhooks, leftovers; changes nothing',
    flags: { ...targetFlags, ...webhookFlags },
    removedFlags,
    notes: exitNotes([0, 2, 3, 4, 5], { 0: 'a run can start', 4: 'something prevents a complete run' }),
    async run(values) {
      const { io } = context;
      const target = targetFrom(values, context);
      const ledger = ledgerFrom(values, context);
      const connection = new Connection({ io, target, ledger, policy: policyOf('read-only', [], {}) });
      const { session } = connection;
      try {
        const { entries, living } = await leftoversIn(ledger, target);
        const damage = describeDamage(ledger.damage());
        const trouble = await preflight(session);
        const checkup = new Checkup(session);
        checkup.add('target', trouble ?? `${target.url} answers and accepts the key`);
        checkup.add(
          'leftovers',
          entries.length === 0 ? 'none' : `${formatCount(entries.length, 'record')} of earlier runs; run sweep`,
        );
        for (const sentence of damage) checkup.add('damage', sentence);
        if (living.length > 0) checkup.add('running', formatCount(living.length, 'other run'));
        if (trouble === undefined) await checkup.examine();
        for (const [label, text] of checkup.lines) io.stdout.write(`${label.padEnd(11)}${excerpt(text, 300)}\n`);
        if (entries.length + damage.length > 0) return 5;
        if (trouble !== undefined || checkup.isUnreachable) return 3;
        return checkup.isIncomplete ? 4 : 0;
      } finally {
        await connection.close();
      }
    },
  });

/** Examines a target that answers, until a request gets no answer. */
class Checkup {
  readonly lines: [label: string, text: string][] = [];
  isUnreachable = false;
  /** A safe run could create nothing, or something in the profile is wrong. */
  isIncomplete = false;
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  add(label: string, text: string): void {
    this.lines.push([label, this.#session.redactor.mask(text)]);
  }

  async examine(): Promise<void> {
    const start = Date.now();
    const list = this.#valueOf(await tryRead(this.#session, () => this.#session.client.send(shortList)));
    if (!list) return;
    this.#examineList(list, (start + Date.now()) / 2);
    const webhooks = this.#valueOf(await webhooksPresent(this.#session));
    if (webhooks === undefined) return;
    this.add('webhooks', webhooksText(webhooks));
    this.isIncomplete ||= webhooks !== 0;
    const keys = this.#valueOf(await checkProfileKeys(this.#session));
    for (const sentence of keys ?? []) this.add('profile', sentence);
    const cards = keys && this.#valueOf(await checkProfileCards(this.#session));
    for (const { text } of cards ?? []) this.add('profile', text);
    this.isIncomplete ||= (keys ?? []).length > 0 || (cards ?? []).some(({ isWrong }) => isWrong);
  }

  #valueOf<T>(result: ReadResult<T>): T | undefined {
    if (result.trouble === undefined) return result.value;
    this.isUnreachable = true;
    this.add('trouble', describeTrouble(result.trouble));
    return undefined;
  }

  #examineList({ headers, status, json }: Answer, now: number): void {
    if (status !== 200 || json === undefined) {
      const got = status === 200 ? 'text that is not JSON' : String(status);
      this.add('target', `GET /api/GiftCard/List answered ${got}. ${baseUrlHint}`);
      this.isIncomplete = true;
    }
    this.add('clock', clockText(headers.date, now));
    this.add('rate', rateText(headers));
  }
}

const webhooksText = (present: number | 'unknown'): string => {
  if (present === 0) return 'none';
  const what = present === 'unknown' ? 'the list is not readable' : String(present);
  return `${what}; a safe run creates nothing without --allow webhooks`;
};

/** The Date header has whole seconds. */
function clockText(date: string | undefined, now: number): string {
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) return 'the target sends no Date header';
  const seconds = Math.round((there + 500 - now) / 1_000);
  if (Math.abs(seconds) <= 2) return 'equal to the clock of this machine';
  return `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the clock of this machine`;
}

function rateText(headers: Readonly<Record<string, string>>): string {
  const limits = Object.entries(headers).filter(([name]) => /rate-?limit|retry-after/i.test(name));
  if (limits.length > 0) return limits.map(([name, value]) => `${name}: ${value}`).join(', ');
  return `no header shows the limit; the specification says ${clauseValues['limits.rate-admits']} requests a minute`;
}
