import { shortList } from '../core/card-list.ts';
import type { Session } from '../core/session.ts';
import type { Profile } from '../core/target.ts';
import type { Answer } from '../http/exchange.ts';

/** A line of the doctor. */
export interface Finding {
  readonly label: string;
  readonly text: string;
  /** The exit code, if a run cannot start or is incomplete because of it. */
  readonly code?: 3 | 4 | 5;
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
export async function profileFindings({ target, client }: Session): Promise<Finding[]> {
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
