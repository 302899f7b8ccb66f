import { useSignal } from '@preact/signals';
import { confirmAction } from '../../../components/dialogs.tsx';
import { Form, type FormValues } from '../../../components/form.tsx';
import { ActionResult, useAction } from '../../actions.tsx';
import { CauseSequence, loadChain } from '../../cause-sequence.tsx';
import { control, dataOf, here } from '../../client.ts';
import { useResource } from '../../resource.ts';
import { selectedAccount } from '../../session.ts';
import { type ActedOn, type CardAction, cardActions } from './action-table.tsx';

/** The actions of the merchant and of orders. Each says first what it will cause, and then shows what it caused. */
export function CardActions({ card, areEmailsDisabled }: Omit<ActedOn, 'account'>) {
  const open = useSignal<CardAction | undefined>(undefined);
  const action = useAction();
  const account = selectedAccount();
  if (!account) return null;

  const perform = ({ path }: CardAction, values: FormValues = {}) =>
    action.run(async () => {
      const after = (await loadChain(card.id)).at(-1)?.number ?? 0;
      const params = { path: { ...here(), card: card.id } };
      if (path === null) await dataOf(control.DELETE('/accounts/{account}/cards/{card}', { params }));
      else await dataOf(control.POST(path, { params, body: values }));
      open.value = undefined;
      return <Caused card={card.id} after={after} />;
    });
  const causesOf = ({ causes }: CardAction) => causes({ card, account, areEmailsDisabled });
  const choose = async (chosen: CardAction) => {
    action.clear();
    open.value = chosen.fields && chosen !== open.value ? chosen : undefined;
    if (chosen.fields) return;
    const question = { title: `${chosen.title} ${card.code}?`, causes: causesOf(chosen), action: chosen.title };
    if (await confirmAction(question)) await perform(chosen);
  };
  return (
    <>
      <div class="buttons">
        {cardActions(card).map((each) => (
          <button
            key={each.title}
            type="button"
            class={each.isFinal ? 'danger' : ''}
            aria-expanded={each.fields ? open.value?.title === each.title : undefined}
            disabled={action.isRunning}
            onClick={() => choose(each)}
          >
            {each.title}
          </button>
        ))}
      </div>
      {open.value && (
        <div class="box">
          <Form
            key={open.value.title}
            submit={open.value.title}
            onCancel={() => choose(open.value as CardAction)}
            onSubmit={(values) => perform(open.value as CardAction, values)}
          >
            {open.value.fields}
            <ul class="quiet">
              {causesOf(open.value).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </Form>
        </div>
      )}
      <ActionResult of={action} />
    </>
  );
}

/** Shows the first action of the merchant after a cause, with the outcomes of its effects as they arrive. */
function Caused({ card, after }: { readonly card: string; readonly after: number }) {
  const { data } = useResource(() => loadChain(card), ['journal', 'emails', 'deliveries', 'channels']);
  const cause = data?.find(({ number, kind }) => number > after && kind === 'control');
  return cause ? <CauseSequence cause={cause} /> : <>Done.</>;
}
