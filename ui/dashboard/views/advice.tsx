import type { Advice, Occurrence } from '../../../mock/control/generated/types.ts';
import { StatusLabel } from '../../components/label.tsx';
import { Notice } from '../../components/notice.tsx';
import { Facts, TimeText } from '../../components/values.tsx';
import { control, dataOf, here } from '../client.ts';
import { EntryLink, RuleLink } from '../links.tsx';
import { type Column, Detail, filterOf, ListAndDetail } from '../list-and-detail.tsx';
import { useResource } from '../resource.ts';

/** Advice on requests of the account, or on requests without a valid key, which belong to no account. */
type Listed = Advice & { readonly isKeyless: boolean };

const idOf = ({ name, isKeyless }: Listed) => (isKeyless ? `keyless-${name}` : name);

const columns: readonly Column<Listed>[] = [
  { title: 'Advice', show: ({ name }) => name },
  { title: 'Last seen', show: ({ seen }) => seen, optional: true },
  { title: 'Times', show: ({ count }) => count, end: true },
  { title: 'Last', show: ({ last }) => <TimeText at={last.atUtc} />, end: true },
];

/** What the client does that causes trouble in production, and the health of the sandbox. */
export function AdviceView() {
  const load = async () => {
    const own = dataOf(control.GET('/accounts/{account}/advice', { params: { path: here() } }));
    const keyless = dataOf(control.GET('/advice'));
    return [
      ...(await own).map((each): Listed => ({ ...each, isKeyless: false })),
      ...(await keyless).map((each): Listed => ({ ...each, isKeyless: true })),
    ];
  };
  const { data, error } = useResource(load, ['journal']);
  const { selected } = filterOf();
  const advice = data?.find((each) => idOf(each) === selected);
  return (
    <ListAndDetail
      name="Advice"
      rows={data}
      idOf={idOf}
      columns={columns}
      error={error}
      detail={advice && <AdviceDetail of={advice} />}
      empty="No advice: no request so far does what causes trouble in production, such as a creation without uniqueId."
      above={<HealthLine />}
    />
  );
}

function AdviceDetail({ of: { name, seen, hurts, rule, count, first, last, isKeyless } }: { readonly of: Listed }) {
  const show = ({ number, atUtc }: Occurrence) => (
    <>
      {isKeyless ? `no. ${number}` : <EntryLink number={number} />} <TimeText at={atUtc} />
    </>
  );
  return (
    <Detail title={name}>
      <p>{seen}</p>
      <p>{hurts}</p>
      <Facts
        of={{
          Rule: <RuleLink rule={rule} />,
          Requests: isKeyless ? 'without a valid key' : null,
          Times: count,
          First: show(first),
          Last: show(last),
        }}
      />
    </Detail>
  );
}

function HealthLine() {
  const { data, error } = useResource(() => dataOf(control.GET('/health')), ['journal', 'accounts']);
  if (error) return <Notice tone="bad">{error}</Notice>;
  if (!data) return null;
  const { status, reason, version, seed, defects } = data;
  return (
    <section class="filters" aria-label="Health">
      <StatusLabel status={status} />
      <span class="quiet">
        giftcard-sandbox {version} · seed {seed}
      </span>
      {reason && <Notice tone="bad">The state cannot be stored, so requests get 503: {reason}</Notice>}
      {defects.map((sentence) => (
        <Notice key={sentence} tone="bad">
          {sentence}
        </Notice>
      ))}
    </section>
  );
}
