import { confirmAction } from '../../components/dialogs.tsx';
import { Field, Form } from '../../components/form.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Label } from '../../components/label.tsx';
import { ActionResult, useAction } from '../actions.tsx';
import { control, dataOf, here } from '../client.ts';
import { type Column, Detail, filterOf, ListAndDetail } from '../list-and-detail.tsx';
import { useResource } from '../resource.ts';

/** A question that the specification leaves open, with its options. */
interface Question {
  readonly name: string;
  readonly text: string;
  readonly options: readonly string[];
  readonly normal: string;
  readonly chosen: string;
}

interface VariantSchema {
  readonly properties: {
    readonly behaviors: {
      readonly properties: Readonly<
        Record<string, { readonly description: string; readonly enum: readonly (string | number)[]; readonly default: string }>
      >;
    };
  };
}

const columns: readonly Column<Question>[] = [
  { title: 'Name', show: ({ name }) => name },
  {
    title: 'Option',
    show: ({ chosen, normal }) => (chosen === normal ? <span class="mono">{chosen}</span> : <Label tone="info">{chosen}</Label>),
  },
  { title: 'Question', show: ({ text }) => text, optional: true },
];

const DIFFERS = 'differs from default';

/** The questions that the specification leaves open, and the behaviors of the account. */
export function BehaviorsView() {
  const load = async () => {
    const behaviors = dataOf(control.GET('/accounts/{account}/behaviors', { params: { path: here() } }));
    return { ...(await behaviors), schema: (await dataOf(control.GET('/variant.schema.json'))) as unknown as VariantSchema };
  };
  const { data, error } = useResource(load, ['behaviors']);
  const action = useAction();
  const { search, only, selected } = filterOf();
  const questions = data && questionsOf(data.schema, data.behaviors);
  const shown = questions?.filter(
    ({ name, text, chosen, normal }) =>
      (only === null || chosen !== normal) && `${name} ${text} ${chosen}`.toLowerCase().includes(search),
  );
  const question = questions?.find(({ name }) => name === selected);
  const reset = async () => {
    const causes = ['Every question gets its default option from the next request on.', 'All overrides of names and places end.'];
    if (!(await confirmAction({ title: 'Use all defaults?', causes, action: 'Use defaults' }))) return;
    await action.run(async () => {
      await dataOf(control.PUT('/accounts/{account}/behaviors', { params: { path: here() }, body: {} }));
      return 'The account has the standard contract.';
    });
  };
  const differing = Object.keys(data?.differing ?? {}).length;
  const overrides = data?.overrides ?? [];
  return (
    <ListAndDetail
      name="Behaviors"
      rows={shown}
      idOf={({ name }) => name}
      columns={columns}
      error={error}
      detail={question && <QuestionDetail key={question.name} of={question} />}
      empty={search === '' ? 'Every question has its default option.' : 'No question matches.'}
      placeholder="Search names and questions"
      choices={[{ value: DIFFERS, count: differing }]}
      buttons={
        differing + overrides.length > 0 && (
          <button type="button" onClick={reset}>
            Use all defaults
          </button>
        )
      }
    >
      <ActionResult of={action} />
      {overrides.length > 0 && (
        <details class="overrides">
          <summary>Overrides of the contract ({overrides.length})</summary>
          <JsonView value={overrides} />
        </details>
      )}
    </ListAndDetail>
  );
}

function questionsOf({ properties }: VariantSchema, behaviors: Readonly<Record<string, string>>): Question[] {
  return Object.entries(properties.behaviors.properties).map(([name, { description, enum: options, default: normal }]) => {
    const texts = options.filter((option) => typeof option === 'string');
    return { name, text: description, options: texts, normal, chosen: behaviors[name] ?? normal };
  });
}

function QuestionDetail({ of: { name, text, options, normal, chosen } }: { readonly of: Question }) {
  const action = useAction();
  const use = ({ option }: { readonly option: string }) =>
    action.run(async () => {
      const body = { behaviors: { [name]: option } };
      await dataOf(control.PATCH('/accounts/{account}/behaviors', { params: { path: here() }, body }));
      return `From the next request on, the account has the option ${option}.`;
    });
  return (
    <Detail title={<span class="mono">{name}</span>}>
      <p>{text}</p>
      <Form submit="Use" onSubmit={use}>
        <Field label="Option" hint="The real service may behave differently. Your client should work with every option.">
          <select name="option">
            {options.map((option) => (
              <option key={option} value={option} selected={option === chosen}>
                {option === normal ? `${option} (default)` : option}
              </option>
            ))}
          </select>
        </Field>
      </Form>
      <ActionResult of={action} />
    </Detail>
  );
}
