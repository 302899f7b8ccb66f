import { StatusLabel } from '../../components/label.tsx';
import { control, dataOf } from '../client.ts';
import { type Column, Detail, filterOf, ListAndDetail } from '../list-and-detail.tsx';
import { useResource } from '../resource.ts';
import { route } from '../router.ts';
import { type Property, type ReferenceOperation, readOperations } from './reference/operations.ts';
import { TryForm } from './reference/try-form.tsx';

const columns = (search: string): readonly Column<ReferenceOperation>[] => [
  {
    title: 'Operation',
    show: ({ method, path }) => (
      <>
        <span class="method">{method}</span> {path.replace('/api/', '')}
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

/** The service's operations, with the account's behaviors and overrides, and a request to try. */
export function ReferenceView() {
  const { account } = route.value;
  const { search, selected } = filterOf();
  const load = async () =>
    readOperations(await dataOf(control.GET('/openapi.json', { params: { query: { account, rules: true } } })));
  const { data, error } = useResource(load, ['behaviors']);
  const operation = data?.find(({ id }) => id === selected);
  return (
    <ListAndDetail
      name="Reference"
      rows={data?.filter(({ text }) => text.includes(search))}
      idOf={({ id }) => id}
      columns={columns(search)}
      error={error}
      detail={operation && <OperationDetail key={operation.id} of={operation} search={search} />}
      empty="No operation, property or rule matches."
      placeholder="Search operations, properties, rules"
      buttons={
        <>
          <a href="openapi.json" download="openapi.json">
            Contract
          </a>
          <a href="reference" target="_blank" rel="noopener">
            All on one page
          </a>
          <a href="control-reference" target="_blank" rel="noopener">
            Control API
          </a>
        </>
      }
    />
  );
}

const rulesWith = ({ rules }: ReferenceOperation, search: string) => rules.filter((rule) => rule.toLowerCase().includes(search));

function OperationDetail({ of, search }: { readonly of: ReferenceOperation; readonly search: string }) {
  const { method, path, summary, description, rules, input, output, responses } = of;
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
      <TryForm of={of} />
      <Properties title="Request" of={input} />
      <Properties title="Response" of={output} />
      <h3>Responses</h3>
      <ul class="responses">
        {responses.map(({ status, text }) => (
          <li key={status}>
            <StatusLabel status={Number(status)} /> <WithCode text={text} />
          </li>
        ))}
      </ul>
      {!isFound && ruleList}
    </Detail>
  );
}

function Properties({ title, of }: { readonly title: string; readonly of: readonly Property[] }) {
  if (of.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <table class="properties">
        <tbody>
          {of.map(({ name, type, isRequired, description }) => (
            <tr key={name}>
              <th scope="row">
                <span class="mono">{name}</span>
                <div class="quiet">
                  {type}
                  {isRequired && ', required'}
                </div>
              </th>
              <td>
                <WithCode text={description} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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
