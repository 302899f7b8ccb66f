import { listPath, pageByPage, shortList } from '../core/card-list.ts';
import { type ReadResult, tryRead } from '../core/preflight.ts';
import type { Session } from '../core/session.ts';
import type { Profile } from '../core/target.ts';
import type { Answer } from '../http/exchange.ts';
import { mentions } from '../http/json-search.ts';

const acceptedKeys = ['secondKey', 'proKey', 'plusKey', 'enterpriseKey'] as const;
const refusedKeys = ['deletedKey', 'basicKey'] as const;

/** Keys of the profile that do not work as the profile says: one sentence each, without the key. */
export function checkProfileKeys(session: Session): Promise<ReadResult<string[]>> {
  const { target, client } = session;
  const { profile } = target;
  return tryRead(session, async () => {
    const wrong: string[] = [];
    const statusOf = async (key: string) => (await client.send({ ...shortList, key })).status;
    for (const name of acceptedKeys) {
      const key = profile[name];
      const status = key === undefined ? 200 : await statusOf(key);
      if (status === 401 || status === 403) wrong.push(`${name} is refused with ${status}: correct it, or leave it out`);
    }
    if (profile.secondKey === target.key) wrong.push('secondKey must be a key of another account, and is the key of the run');
    for (const name of refusedKeys) {
      const key = profile[name];
      if (key !== undefined && (await statusOf(key)) === 200) wrong.push(`${name} is accepted, and should be refused`);
    }
    return wrong;
  });
}

interface CardCheck {
  readonly text: string;
  /** The card is not what the profile says, so that clauses that need it cannot be tested. */
  readonly isWrong: boolean;
}

/** A card that the profile names, and what it must be. */
interface ExpectedCard {
  readonly entry: keyof Profile;
  readonly code: string | undefined;
  readonly status?: 'Expired' | 'Redeemed' | 'Scheduled';
  readonly hasBalance?: true;
}

const expectedCards = (profile: Profile): ExpectedCard[] => [
  { entry: 'voucherCode', code: profile.voucherCode, hasBalance: true },
  { entry: 'expiredCode', code: profile.expiredCode, status: 'Expired' },
  { entry: 'redeemedCode', code: profile.redeemedCode, status: 'Redeemed' },
  { entry: 'scheduledCode', code: profile.scheduledCode, status: 'Scheduled' },
  { entry: 'expiringGift', code: profile.expiringGift?.code, status: 'Scheduled' },
  { entry: 'storeCreditCode', code: profile.storeCreditCode },
  { entry: 'channelCard', code: profile.channelCard?.code },
];

/** Only a run shows whether these are right. */
const uncheckable = ['automationEvent', 'secondAutomationEvent', 'usedUpAutomationEvent'] as const;

/** Looks up every card of the profile. No code is in the texts. */
export function checkProfileCards(session: Session): Promise<ReadResult<CardCheck[]>> {
  const { profile } = session.target;
  return tryRead(session, async () => {
    const checks: CardCheck[] = [];
    for (const expected of expectedCards(profile))
      if (expected.code !== undefined) checks.push(checkCard(expected, await cardByCode(session, expected.code)));
    if (profile.deletedCode !== undefined) checks.push(await checkDeletedCard(session, profile.deletedCode));
    const others = uncheckable.filter((entry) => entry in profile);
    if (others.length > 0) checks.push({ text: `${others.join(', ')}: not checked; only a run can`, isWrong: false });
    return checks;
  });
}

const cardByCode = ({ client }: Session, code: string): Promise<Answer> =>
  client.send({ method: 'GET', path: `/api/GiftCard/GetByCode/${encodeURIComponent(code)}` });

const wrong = (text: string): CardCheck => ({ text: `${text}: name another card, or leave it out`, isWrong: true });

function checkCard({ entry, status: wanted, hasBalance }: ExpectedCard, { status, json }: Answer): CardCheck {
  if (status >= 500) return { text: `${entry}: unknown; the look-up answered ${status}`, isWrong: true };
  if (status !== 200) return wrong(`${entry}: not found (${status})`);
  const card = (json ?? {}) as { status?: unknown; balance?: unknown };
  const balance = typeof card.balance === 'number' ? ` with ${card.balance.toFixed(2)}` : '';
  const text = `${entry}: ${typeof card.status === 'string' ? card.status : 'found'}${balance}`;
  const isEmpty = card.status === 'Voided' || (typeof card.balance === 'number' && card.balance <= 0);
  if (wanted !== undefined && card.status !== wanted) return wrong(`${text}, must be ${wanted}`);
  return hasBalance && isEmpty ? wrong(`${text}, must have a balance`) : { text, isWrong: false };
}

/** The specification leaves open whether a deleted card is found by its code; the list has it with includeAll. */
async function checkDeletedCard(session: Session, code: string): Promise<CardCheck> {
  const { status, json } = await cardByCode(session, code);
  if (status === 200) return describeDeletedCard('found by its code', json);
  const { cards, isEnough } = await allCards(session);
  const record = cards.find((each) => mentions(each, code));
  if (record !== undefined) return describeDeletedCard('in the list with includeAll', record);
  return isEnough
    ? wrong('deletedCode: not in the list with includeAll')
    : { text: `deletedCode: not in the first ${cards.length} cards of the list with includeAll`, isWrong: false };
}

/** A voided card is used up. */
function describeDeletedCard(where: string, record: unknown): CardCheck {
  const { status } = (record ?? {}) as { status?: unknown };
  const text = `deletedCode: ${where}${typeof status === 'string' ? `, ${status}` : ''}`;
  return status === 'Voided' ? wrong(`${text}, so it is used up`) : { text, isWrong: false };
}

const allCards = ({ client }: Session) =>
  pageByPage(async (paging) => {
    const { status, json } = await client.send({ method: 'GET', path: listPath, query: { ...paging, includeAll: 'true' } });
    const page = (json as { giftCards?: unknown } | null)?.giftCards;
    return status === 200 && Array.isArray(page) ? page : undefined;
  });
