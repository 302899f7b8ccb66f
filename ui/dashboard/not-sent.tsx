import type { SuppressedEffect } from '../../mock/control/generated/types.ts';
import { Facts, TimeText } from '../components/values.tsx';
import { CauseOf } from './cause-sequence.tsx';
import { control, dataOf, here } from './client.ts';
import { CardLink, RuleLink } from './links.tsx';
import { Detail } from './list-and-detail.tsx';

/** The choice that shows what was not sent. */
export const NOT_SENT = 'not sent';

export const notSentId = ({ cause, giftCardId, what }: SuppressedEffect) => `${NOT_SENT} ${cause.number} ${giftCardId} ${what}`;

/** Loads the emails, or the deliveries, that a rule of the service suppressed, oldest first. */
export async function notSent(kind: 'emails' | 'deliveries', limit: number): Promise<readonly SuppressedEffect[]> {
  const params = { path: here(), query: { limit } };
  const suppressed = await dataOf(control.GET('/accounts/{account}/suppressed', { params }));
  return suppressed.filter(({ what }) => (what === 'email') === (kind === 'emails'));
}

export function NotSentDetail({ of }: { readonly of: SuppressedEffect }) {
  return (
    <Detail title={`${of.what} not sent`}>
      <Facts
        of={{
          Reason: of.why,
          Rule: <RuleLink rule={of.rule} />,
          Card: <CardLink of={of} />,
          Time: <TimeText at={of.atUtc} exact />,
        }}
      />
      <CauseOf number={of.cause.number} />
    </Detail>
  );
}
