import { choicesOf } from '../../components/filters.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Label, toneOf } from '../../components/label.tsx';
import { CodeText } from '../../components/values.tsx';
import { control, dataOf } from '../client.ts';
import { type Column, Detail, filterOf, ListAndDetail } from '../list-and-detail.tsx';
import { useResource } from '../resource.ts';
import { route } from '../router.ts';
import { type MessageBody, type ReferenceOperation, readOperations } from './reference/operations.ts';
import { TryForm } from './reference/try-form.tsx';

const columns = (search: string): readonly Column<ReferenceOperation>[] => [
  {
    title: 'Operation',
    show: ({ method, path }) => (
      <>
        <span class="method">{method}</span> {path.replace(/^\/(api|__mock)\//, '')}
      </>
    ),
  },
  {
    title: '',
    show: (of) => {
      const [rule] = search === '' ? [] : rulesWith(of, search);
      return rule === undefined ? of.summary : <WithCode text={rule} />;
    },
    optional: true,
  },
];

/** The operations of the service with the account's behaviors and overrides, its deliveries, and the operations of the control API. */
export function ReferenceView() {
  const { account } = route.value;
  const { search, only, selected } = filterOf();
  const load = async () => {
    const service = dataOf(control.GET('/openapi.json', { params: { query: { account, rules: true } } }));
    const ofControl = await dataOf(control.GET('/control.json'));
    return [...readOperations(await service, 'Service'), ...readOperations(ofControl, 'Control API')];
  };
  const { data, error } = useResource(load, ['behaviors']);
  const found = data?.filter(({ text }) => text.includes(search));
  const operation = data?.find(({ id }) => id === selected);
  return (
    <ListAndDetail
      name="Reference"
      rows={found?.filter(({ kind }) => only === null || kind === only)}
      idOf={({ id }) => id}
      columns={columns(search)}
      error={error}
      detail={operation && <OperationDetail key={operation.id} of={operation} search={search} />}
      empty="No operation, property or rule matches."
      placeholder="Search operations, properties, rules"
      choices={choicesOf((found ?? []).map(({ kind }) => kind))}
      buttons={
        <>
          <a href="openapi.json" download>
            openapi.json
          </a>
          <a href="control.json" download>
            control.json
          </a>
        </>
      }
    />
  );
}

const rulesWith = ({ rules }: ReferenceOperation, search: string) => rules.filter((rule) => rule.toLowerCase().includes(search));

function OperationDetail({ of, search }: { readonly of: ReferenceOperation; readonly search: string }) {
  const { kind, method, path, summary, description, rules, input, examples, responses } = of;
  const matching = rulesWith(of, search);
  const isFound = matching.length > 0 && matching.length < rules.length;
  const ruleList = rules.length > 0 && (
    <details class="rules" open={isFound}>
      <summary>{isFound ? `Rules (${matching.length} of ${rules.length})` : `Rules (${rules.length})`}</summary>
      <ul>
        {(isFound ? matching : rules).map((rule) => (
          <li key={rule}>
            <WithCode text={rule} />
          </li>
        ))}
      </ul>
    </details>
  );
  return (
    <Detail title={summary}>
      <p class="mono">
        <strong>{method}</strong> {path}
      </p>
      <p>
        <WithCode text={description} />
      </p>
      {isFound && ruleList}
      {kind === 'Service' && <TryForm of={of} />}
      {input.length > 0 && <h3>Request</h3>}
      <Body of={{ properties: input, examples }} />
      <h3>Responses</h3>
      <ul class="responses">
        {responses.map((response) => (
          <li key={response.status}>
            <Label tone={toneOf(Number(response.status.replace('XX', '00')))}>{response.status}</Label>{' '}
            <WithCode text={response.text} />
            <Body of={response} />
          </li>
        ))}
      </ul>
      {!isFound && ruleList}
    </Detail>
  );
}

function Body({ of: { properties, examples } }: { readonly of: MessageBody }) {
  return (
    <>
      <ul class="properties">
        {properties.map(({ name, place, type, isRequired, description }) => (
          <li key={`${place} ${name}`}>
            <span class="mono">{name}</span>{' '}
            <span class="quiet">{[type, place && `in ${place}`, isRequired && 'required'].filter(Boolean).join(', ')}</span>
            <div>
              <WithCode text={description} />
            </div>
          </li>
        ))}
      </ul>
      {examples.map(({ title, value }) => (
        <details key={title}>
          <summary>Example: {title}</summary>
          {typeof value === 'string' ? <CodeText text={value} /> : <JsonView value={value} />}
        </details>
      ))}
    </>
  );
}

/** Shows a text of the contract. Text between backquotes is code, and text between asterisks is emphasized. */
function WithCode({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/(`[^`]+`|\*[^*]+\*)/).map((part) => {
        if (part.startsWith('`')) return <code key={part}>{part.slice(1, -1)}</code>;
        return part.startsWith('*') && part.length > 1 ? <em key={part}>{part.slice(1, -1)}</em> : part;
      })}
    </>
  );
}
