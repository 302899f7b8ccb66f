import { baseUrlHint, preflight, tryRead, webhooksPresent } from '../../conformance/core/preflight.ts';
import type { Session } from '../../conformance/core/session.ts';
import { excerpt, formatCount } from '../../conformance/core/text.ts';
import { shortList } from '../../conformance/safety/card-search.ts';
import { type Mode, type Policy, policyOf, policyWithWebhooks } from '../../conformance/safety/policy.ts';
import { ruleValues } from '../../openapi/generated/rules.ts';
import { jsonFlag } from '../flags.ts';
import { type CommandDefinition, defineCommand } from '../run-command.ts';
import { Connection } from './connection.ts';
import { type CliContext, printJson } from './context.ts';
import { examplesOf, exitNotes, policyFlags, targetFlags, webhookFlags } from './flags.ts';
import { type TestTarget, testTargetFrom } from './target.ts';

interface Finding {
  readonly label: string;
  readonly text: string;
  /** The exit code if the finding prevents a complete run. */
  readonly code?: 3 | 4 | 5;
}

export const doctorCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'doctor',
    summary: 'Checks whether a run can start: key, profile, clock, webhooks, leftovers; changes nothing',
    flags: { ...targetFlags, ...webhookFlags, mode: policyFlags.mode, allow: policyFlags.allow, ...jsonFlag },
    examples: examplesOf(
      'doctor',
      '--target http://127.0.0.1:8460',
      '--target https://api.example.com --mode safe --profile profile.json',
      '--target https://api.example.com --key-env STAGING_KEY --json',
    ),
    notes: exitNotes([0, 2, 3, 4, 5], { 0: 'a run can start', 4: 'something prevents a complete run' }),
    async run(values) {
      const test = await testTargetFrom(values, context);
      const connection = new Connection({ ...test, policy: policyOf('read-only', [], {}) });
      const { session } = connection;
      try {
        const findings = [...(await targetFindings(session, test, values.mode)), ...(await ledgerFindings(test))];
        const code = ([5, 3, 4] as const).find((each) => findings.some((finding) => finding.code === each)) ?? 0;
        const shown = findings.map(({ text, ...rest }) => ({ ...rest, text: excerpt(session.redactor.mask(text), 300) }));
        if (values.json) {
          printJson(context, { target: session.target.url, exitCode: code, findings: shown });
          return code;
        }
        for (const { label, text } of shown) context.io.stdout.write(`${label.padEnd(11)}${text}\n`);
        const causes = findings.flatMap((finding) => (finding.code === undefined ? [] : [finding.label]));
        const text = code === 0 ? 'a run can start' : `exit code ${code}, because of: ${[...new Set(causes)].join(', ')}`;
        context.io.stdout.write(`${'result'.padEnd(11)}${text}\n`);
        return code;
      } finally {
        await session.client.close();
      }
    },
  });

async function ledgerFindings({ ledger, target }: TestTarget): Promise<Finding[]> {
  const { entries, living, damage } = await ledger.read(target);
  const left = `${formatCount(entries.length, 'record')} of earlier runs; run sweep`;
  return [
    entries.length === 0 ? { label: 'leftovers', text: 'none' } : { label: 'leftovers', text: left, code: 5 },
    ...damage.map((text): Finding => ({ label: 'damage', text, code: 5 })),
    ...(living.length > 0 ? [{ label: 'running', text: formatCount(living.length, 'other run') }] : []),
  ];
}

/** Checks the target. Stops when a request gets no response. */
async function targetFindings(session: Session, { trust, policy }: TestTarget, mode: Mode | undefined): Promise<Finding[]> {
  const trouble = await preflight(session);
  if (trouble !== undefined) return [{ label: 'target', text: trouble, code: 3 }];
  const findings: Finding[] = [{ label: 'target', text: `${session.target.url} responds and accepts the key` }];
  for (const findingsOf of [listFindings, webhookFindings, keyFindings, cardFindings]) {
    const read = await tryRead(session, () => findingsOf(session, policy));
    if (read.trouble !== undefined) return [...findings, { label: 'trouble', text: read.trouble, code: 3 }];
    findings.push(...read.value);
  }
  const because = trust.place === 'mock' ? 'the target proved to be the mock' : trust.because;
  return [...findings, { label: 'mode', text: mode ?? `${policy.mode}, because ${because} (default without --mode)` }];
}

async function listFindings({ client }: Session): Promise<Finding[]> {
  const start = Date.now();
  const { status, json, headers } = await client.send(shortList);
  const isReadable = status === 200 && json !== undefined;
  const unreadable = `GET /api/GiftCard/List returned ${status} without a list. ${baseUrlHint}`;
  return [
    ...(isReadable ? [] : [{ label: 'target', text: unreadable, code: 4 } as const]),
    { label: 'clock', text: clockText(headers.date, (start + Date.now()) / 2) },
    { label: 'rate', text: rateText(headers) },
  ];
}

async function webhookFindings(session: Session, policy: Policy): Promise<Finding[]> {
  const present = await webhooksPresent(session);
  if (present === 0) return [{ label: 'webhooks', text: 'none' }];
  const text = present === 'unknown' ? 'the list is not readable' : String(present);
  if (!policyWithWebhooks(policy, present).readOnlyBecause) return [{ label: 'webhooks', text }];
  return [{ label: 'webhooks', text: `${text}; a safe run changes nothing without --allow void-deliveries`, code: 4 }];
}

function clockText(date: string | undefined, now: number): string {
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) return 'the target sends no Date header';
  // The Date header omits the milliseconds, which are 500 on average.
  const seconds = Math.round((there + 500 - now) / 1_000);
  if (Math.abs(seconds) <= 2) return 'equal to the clock of this machine';
  return `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the clock of this machine`;
}

function rateText(headers: Readonly<Record<string, string>>): string {
  const limits = Object.entries(headers).filter(([name]) => /rate-?limit|retry-after/i.test(name));
  if (limits.length > 0) return limits.map(([name, value]) => `${name}: ${value}`).join(', ');
  return `no header shows the limit; the specification says ${ruleValues['limits.rate-admits']} requests a minute`;
}

/** Keys of the profile. True if the target must accept the key, false if the target must refuse the key. */
const profileKeys = { secondKey: true, proKey: true, plusKey: true, enterpriseKey: true, deletedKey: false, basicKey: false };

const wrongEntry = (text: string): Finding => ({ label: 'profile', text: `${text}; correct or remove this entry`, code: 4 });

async function keyFindings({ target: { key, profile }, client }: Session): Promise<Finding[]> {
  const isRunKey = profile.secondKey === key;
  const findings = isRunKey ? [wrongEntry('secondKey equals the key of the run, but must belong to another account')] : [];
  for (const [name, isValid] of Object.entries(profileKeys)) {
    const tried = profile[name as keyof typeof profileKeys];
    if (tried === undefined) continue;
    const { status } = await client.send({ ...shortList, key: tried });
    if (isValid && (status === 401 || status === 403)) findings.push(wrongEntry(`${name} is refused with ${status}`));
    if (!isValid && status === 200) findings.push(wrongEntry(`${name} is accepted, but must be refused`));
  }
  return findings;
}

/** Cards of the profile. Each text completes the sentence "The card must …". */
const profileCards = {
  voucherCode: 'have a balance',
  expiredCode: 'be Expired',
  redeemedCode: 'be Redeemed',
  scheduledCode: 'be Scheduled',
  expiringGift: 'be Scheduled',
  storeCreditCode: 'exist',
  channelCard: 'exist',
};

async function cardFindings({ target: { profile }, client }: Session): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, wanted] of Object.entries(profileCards)) {
    const entry = profile[name as keyof typeof profileCards];
    if (entry === undefined) continue;
    const code = encodeURIComponent(typeof entry === 'string' ? entry : entry.code);
    const { status, json } = await client.send({ method: 'GET', path: `/api/GiftCard/GetByCode/${code}` });
    const card = (json ?? {}) as { status?: unknown; balance?: unknown };
    const balance = typeof card.balance === 'number' ? card.balance : undefined;
    const isEmpty = card.status === 'Voided' || (balance !== undefined && balance <= 0);
    const isRight = wanted === 'exist' || (wanted === 'have a balance' ? !isEmpty : wanted === `be ${card.status}`);
    const text = `${name}: ${card.status ?? 'found'}${balance === undefined ? '' : ` with ${balance.toFixed(2)}`}`;
    if (status !== 200) findings.push(wrongEntry(`${name}: the look-up returned ${status}`));
    else findings.push(isRight ? { label: 'profile', text } : wrongEntry(`${text}, must ${wanted}`));
  }
  return findings;
}
