import type { ComponentChildren } from 'preact';
import type { SuppressedEffect } from '../../mock/control/generated/types.ts';
import { type Column, Detail, ListAndDetail } from '../components/list-and-detail.tsx';
import { Facts, Time } from '../components/values.tsx';
import { CauseOf } from './cause-sequence.tsx';
import { answered, control, here } from './client.ts';
import { type Resource, useResource } from './resource.ts';
import { go, hrefOf, route } from './router.ts';

/** The choice that shows what was not sent. */
export const NOT_SENT = 'not sent';

const columns: readonly Column<SuppressedEffect>[] = [
  { title: 'Not sent', show: ({ what }) => what },
  { title: 'Card', show: ({ code }) => <span class="mono">{code}</span> },
  { title: 'Why', show: ({ why }) => why, optional: true },
  { title: 'Time', show: ({ atUtc }) => <Time at={atUtc} />, end: true },
];

/** Loads the emails, or the deliveries, that a rule of the service suppressed, newest first. */
export function useNotSent(kind: 'emails' | 'deliveries', limit: number): Resource<readonly SuppressedEffect[]> {
  const load = async () => {
    const params = { path: here(), query: { limit } };
    const suppressed = await answered(control.GET('/accounts/{account}/suppressed', { params }));
    return suppressed.filter(({ what }) => (what === 'email') === (kind === 'emails')).toReversed();
  };
  return useResource(load, ['suppressed'], [limit]);
}

interface NotSentListProps {
  readonly rows: readonly SuppressedEffect[] | undefined;
  readonly onMore: (() => void) | undefined;
  /** Filters and notices above the list. */
  readonly children: ComponentChildren;
}

/** What was not sent, each with its reason and its clause. */
export function NotSentList({ rows, onMore, children }: NotSentListProps) {
  const idOf = ({ cause, giftCardId, what }: SuppressedEffect) => `${cause.number} ${giftCardId} ${what}`;
  const selected = route.value.query.get('selected');
  const select = (id: string | null, isMove = false) => go({ query: { selected: id } }, isMove);
  const row = rows?.find((each) => idOf(each) === selected);
  return (
    <ListAndDetail
      name="Not sent"
      rows={rows}
      idOf={idOf}
      columns={columns}
      hrefOf={(id) => hrefOf({ query: { selected: id } })}
      selected={selected}
      onSelect={select}
      detail={
        row && (
          <Detail title={`${row.what} not sent`} onClose={() => select(null)}>
            <Facts
              of={[
                ['Reason', row.why],
                ['Rule', <RuleLink key="rule" clause={row.clause} />],
                ['Card', <CardLink key="card" of={row} />],
                ['Time', <Time key="time" at={row.atUtc} exact />],
              ]}
            />
            <CauseOf key={selected} number={row.cause.number} />
          </Detail>
        )
      }
      empty="Nothing matches. What a rule of the service suppresses is listed here, with the rule."
      onMore={onMore}
    >
      {children}
    </ListAndDetail>
  );
}

export function RuleLink({ clause }: { readonly clause: string }) {
  return (
    <a class="mono" href={hrefOf({ view: 'reference', query: { search: clause } })}>
      {clause}
    </a>
  );
}

export function CardLink({
  of: { code, giftCardId },
}: {
  readonly of: { readonly code: string | null; readonly giftCardId: string };
}) {
  return (
    <a class="mono" href={hrefOf({ view: 'cards', query: { selected: giftCardId } })}>
      {code ?? giftCardId}
    </a>
  );
}
