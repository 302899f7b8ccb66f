import { listPath, pageByPage } from '../core/card-list.ts';
import { type Looked, looked } from '../core/preflight.ts';
import type { Session } from '../core/session.ts';
import type { Profile } from '../core/target.ts';
import type { Answer } from '../http/exchange.ts';
import { mentions } from '../http/structure.ts';

/** What looking alone found of an entry of the profile. */
interface CardTold {
  readonly says: string;
  /** It is not seen to be what the profile says of it, so that what needs it cannot be judged. */
  readonly wrong: boolean;
}

/** A card that is looked up by its code, and what is to be seen of it. */
interface Wanted {
  readonly entry: keyof Profile;
  readonly code: string | undefined;
  /** A state that it is in, or that it is a voucher that holds something. */
  readonly is?: { readonly status: 'Expired' | 'Redeemed' | 'Scheduled' } | { readonly holds: true };
}

const wantedIn = (profile: Profile): Wanted[] => [
  { entry: 'voucherCode', code: profile.voucherCode, is: { holds: true } },
  { entry: 'expiredCode', code: profile.expiredCode, is: { status: 'Expired' } },
  { entry: 'redeemedCode', code: profile.redeemedCode, is: { status: 'Redeemed' } },
  { entry: 'scheduledCode', code: profile.scheduledCode, is: { status: 'Scheduled' } },
  { entry: 'expiringGift', code: profile.expiringGift?.code, is: { status: 'Scheduled' } },
  { entry: 'storeCreditCode', code: profile.storeCreditCode },
  { entry: 'channelCard', code: profile.channelCard?.code },
];

const deletedIn = (profile: Profile): Wanted[] => [{ entry: 'deletedCode', code: profile.deletedCode }];

/** Entries of which only a run shows whether they are as they should be: what may be looked at is open, or shows nothing without a change. */
const unseen = [
  'automationEvent',
  'secondAutomationEvent',
  'usedUpAutomationEvent',
] as const satisfies readonly (keyof Profile)[];

/** Looks for every card that the profile names, and says of each what was found; no code stands in it. */
export function cardsTold(session: Session): Promise<Looked<CardTold[]>> {
  const { profile } = session.target;
  return looked(session, async () => {
    const told: CardTold[] = [];
    for (const wanted of wantedIn(profile))
      if (wanted.code !== undefined) told.push(judged(wanted, await byCode(session, wanted.code)));
    told.push(...(await deletedTold(session)));
    const besides = unseen.filter((entry) => entry in profile);
    if (besides.length > 0)
      told.push({
        says: `${besides.join(', ')}: not looked at, for only a run shows ${besides.length > 1 ? 'them' : 'it'}`,
        wrong: false,
      });
    return told;
  });
}

const byCode = ({ client }: Session, code: string): Promise<Answer> =>
  client.send({ method: 'GET', path: `/api/GiftCard/GetByCode/${encodeURIComponent(code)}` });

const mend = 'name another card, or leave it out';

function judged({ entry, is }: Wanted, { status, json }: Answer): CardTold {
  if (status >= 500)
    return { says: `${entry}: not seen, for the target answered ${status} when asked for its code`, wrong: true };
  if (status !== 200) return { says: `${entry}: not found (${status}): ${mend}`, wrong: true };
  const card = (json ?? {}) as { status?: unknown; balance?: unknown };
  const holds = typeof card.balance === 'number' ? ` with ${card.balance.toFixed(2)}` : '';
  const found = `${entry}: ${typeof card.status === 'string' ? card.status : 'found'}${holds}`;
  if (is === undefined) return { says: found, wrong: false };
  const [fits, wanted] =
    'holds' in is
      ? [card.status !== 'Voided' && holdsSomething(card.balance), 'a voucher that still holds something']
      : [card.status === is.status, is.status];
  return fits ? { says: found, wrong: false } : { says: `${found}, and should be ${wanted}: ${mend}`, wrong: true };
}

/** A balance that is not shown says nothing. */
const holdsSomething = (balance: unknown) => typeof balance !== 'number' || balance > 0;

/** Whether a deleted card is found by its code is open; the list has it with includeAll. */
async function deletedTold(session: Session): Promise<CardTold[]> {
  const told: CardTold[] = [];
  const unfound: Wanted[] = [];
  for (const wanted of deletedIn(session.target.profile)) {
    if (wanted.code === undefined) continue;
    const { status, json } = await byCode(session, wanted.code);
    if (status === 200) told.push(deleted(wanted, 'found by its code, where nothing shows that it is deleted', json));
    else unfound.push(wanted);
  }
  if (unfound.length === 0) return told;
  const { cards, isEnough } = await listed(session);
  return [
    ...told,
    ...unfound.map((wanted): CardTold => {
      const { entry, code } = wanted;
      const record = cards.find((each) => mentions(each, code));
      if (record !== undefined) return deleted(wanted, 'in the list with includeAll', record);
      return isEnough
        ? { says: `${entry}: not in the list, not even with includeAll: ${mend}`, wrong: true }
        : { says: `${entry}: not seen in ${cards.length} cards of the list with includeAll, where looking ends`, wrong: false };
    }),
  ];
}

/** One that was voided, or whose expiry was to come and has, is used up. */
function deleted({ entry }: Wanted, where: string, record: unknown): CardTold {
  const { status } = (record ?? {}) as { status?: unknown };
  const state = typeof status === 'string' ? `, as ${status}` : '';
  const isUsedUp = status === 'Voided';
  return { says: `${entry}: ${where}${state}${isUsedUp ? `, and so used up: ${mend}` : ''}`, wrong: isUsedUp };
}

const listed = ({ client }: Session) =>
  pageByPage(async (paging) => {
    const query = { ...paging, includeAll: 'true' };
    const { status, json } = await client.send({ method: 'GET', path: listPath, query });
    const page = (json as { giftCards?: unknown } | null)?.giftCards;
    return status === 200 && Array.isArray(page) ? page : undefined;
  });
