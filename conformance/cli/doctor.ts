import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { clauseValues } from '../../openapi/generated/clauses.ts';
import { shortList } from '../core/card-list.ts';
import { baseUrlHint, preflight, tryRead, webhooksPresent } from '../core/preflight.ts';
import type { Session } from '../core/session.ts';
import type { Profile } from '../core/target.ts';
import { excerpt, formatCount } from '../core/text.ts';
import type { Answer } from '../http/exchange.ts';
import { policyOf } from '../safety/policy.ts';
import { Connection } from './connection.ts';
import type { CliContext } from './context.ts';
import { exitNotes, removedFlags, targetFlags, webhookFlags } from './flags.ts';
import { testTargetFrom } from './target.ts';

/** A line of the doctor. */
interface Finding {
  readonly label: string;
  readonly text: string;
  /** The exit code, if a run cannot start or is incomplete because of it. */
  readonly code?: 3 | 4 | 5;
}

export const doctorCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'doctor',
    summary: 'Checks whether a run can start: key, profile, clock, rate limit, webhooks, leftovers; changes nothing',
    flags: { ...targetFlags, ...webhookFlags },
    removedFlags,
    notes: exitNotes([0, 2, 3, 4, 5], { 0: 'a run can start', 4: 'something prevents a complete run' }),
    async run(values) {
      const connection = new Connection({ ...testTargetFrom(values, context), policy: policyOf('read-only', [], {}) });
      const { session } = connection;
      try {
        const findings = [...(await targetFindings(session)), ...(await ledgerFindings(connection))];
        for (const { label, text } of findings)
          context.io.stdout.write(`${label.padEnd(11)}${excerpt(session.redactor.mask(text), 300)}\n`);
        return ([5, 3, 4] as const).find((code) => findings.some((finding) => finding.code === code)) ?? 0;
      } finally {
        await connection.close();
      }
    },
  });

async function ledgerFindings({ test: { ledger, target } }: Connection): Promise<Finding[]> {
  const { entries, living, damage } = await ledger.read(target);
  const left = `${formatCount(entries.length, 'record')} of earlier runs; run sweep`;
  return [
    entries.length === 0 ? { label: 'leftovers', text: 'none' } : { label: 'leftovers', text: left, code: 5 },
    ...damage.map((text): Finding => ({ label: 'damage', text, code: 5 })),
    ...(living.length > 0 ? [{ label: 'running', text: formatCount(living.length, 'other run') }] : []),
  ];
}

/** The findings until a request gets no answer. */
async function targetFindings(session: Session): Promise<Finding[]> {
  const trouble = await preflight(session);
  if (trouble !== undefined) return [{ label: 'target', text: trouble, code: 3 }];
  const findings: Finding[] = [{ label: 'target', text: `${session.target.url} answers and accepts the key` }];
  for (const findingsOf of [listFindings, webhookFindings, profileFindings]) {
    const read = await tryRead(session, () => findingsOf(session));
    if (read.trouble !== undefined) return [...findings, { label: 'trouble', text: read.trouble, code: 3 }];
    findings.push(...read.value);
  }
  return findings;
}

async function listFindings({ client }: Session): Promise<Finding[]> {
  const start = Date.now();
  const { status, json, headers } = await client.send(shortList);
  const isReadable = status === 200 && json !== undefined;
  const unreadable = `GET /api/GiftCard/List answered ${status} without a list. ${baseUrlHint}`;
  return [
    ...(isReadable ? [] : [{ label: 'target', text: unreadable, code: 4 } as const]),
    { label: 'clock', text: clockText(headers.date, (start + Date.now()) / 2) },
    { label: 'rate', text: rateText(headers) },
  ];
}

async function webhookFindings(session: Session): Promise<Finding[]> {
  const { value: present, trouble } = await webhooksPresent(session);
  if (trouble !== undefined) return [{ label: 'trouble', text: trouble, code: 3 }];
  if (present === 0) return [{ label: 'webhooks', text: 'none' }];
  const what = present === 'unknown' ? 'the list is not readable' : String(present);
  return [{ label: 'webhooks', text: `${what}; a safe run creates nothing without --allow webhooks`, code: 4 }];
}

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

const acceptedKeys = ['secondKey', 'proKey', 'plusKey', 'enterpriseKey'] as const;
const refusedKeys = ['deletedKey', 'basicKey'] as const;

/** The codes of cards in the profile, and the status that the card must have; `balance` is any status with one. */
const cards: readonly [entry: keyof Profile, codeOf: (profile: Profile) => string | undefined, wanted?: string][] = [
  ['voucherCode', ({ voucherCode }) => voucherCode, 'balance'],
  ['expiredCode', ({ expiredCode }) => expiredCode, 'Expired'],
  ['redeemedCode', ({ redeemedCode }) => redeemedCode, 'Redeemed'],
  ['scheduledCode', ({ scheduledCode }) => scheduledCode, 'Scheduled'],
  ['expiringGift', ({ expiringGift }) => expiringGift?.code, 'Scheduled'],
  ['storeCreditCode', ({ storeCreditCode }) => storeCreditCode],
  ['channelCard', ({ channelCard }) => channelCard?.code],
];

/** Only a run shows whether these are right. */
const uncheckable = ['deletedCode', 'automationEvent', 'secondAutomationEvent', 'usedUpAutomationEvent'] as const;

/** Tries the keys of the profile, and looks up its cards. No key or code is in the texts. */
async function profileFindings({ target, client }: Session): Promise<Finding[]> {
  const { profile } = target;
  const findings: Finding[] = [];
  const wrong = (text: string) => void findings.push({ label: 'profile', text: `${text}; correct it, or leave it out`, code: 4 });
  for (const name of [...acceptedKeys, ...refusedKeys]) {
    const key = profile[name];
    if (key === undefined) continue;
    const { status } = await client.send({ ...shortList, key });
    const isRefused = status === 401 || status === 403;
    if (isRefused && acceptedKeys.some((each) => each === name)) wrong(`${name} is refused with ${status}`);
    if (status === 200 && refusedKeys.some((each) => each === name)) wrong(`${name} is accepted, and should be refused`);
  }
  if (profile.secondKey === target.key) wrong('secondKey is the key of the run, and must be of another account');
  for (const [entry, codeOf, wanted] of cards) {
    const code = codeOf(profile);
    if (code === undefined) continue;
    const answer = await client.send({ method: 'GET', path: `/api/GiftCard/GetByCode/${encodeURIComponent(code)}` });
    const { text, isWrong } = describeCard(answer, wanted);
    if (isWrong) wrong(`${entry}: ${text}`);
    else findings.push({ label: 'profile', text: `${entry}: ${text}` });
  }
  const others = uncheckable.filter((entry) => entry in profile);
  if (others.length > 0) findings.push({ label: 'profile', text: `${others.join(', ')}: not checked; only a run can` });
  return findings;
}

function describeCard({ status, json }: Answer, wanted: string | undefined): { text: string; isWrong: boolean } {
  if (status !== 200) return { text: `the look-up answered ${status}`, isWrong: true };
  const card = (json ?? {}) as { status?: unknown; balance?: unknown };
  const balance = typeof card.balance === 'number' ? ` with ${card.balance.toFixed(2)}` : '';
  const text = `${typeof card.status === 'string' ? card.status : 'found'}${balance}`;
  const isEmpty = card.status === 'Voided' || (typeof card.balance === 'number' && card.balance <= 0);
  const isWrong = wanted === 'balance' ? isEmpty : wanted !== undefined && card.status !== wanted;
  return { text: isWrong ? `${text}, must ${wanted === 'balance' ? 'have a balance' : `be ${wanted}`}` : text, isWrong };
}
