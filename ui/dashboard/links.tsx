import { hrefOf } from './router.ts';

/** A link to the operations that a rule is about. */
export function RuleLink({ rule }: { readonly rule: string }) {
  return (
    <a class="mono" href={hrefOf({ view: 'reference', query: { search: rule } })}>
      {rule}
    </a>
  );
}

/** A link to an entry of the journal. */
export function EntryLink({ number }: { readonly number: number }) {
  return <a href={hrefOf({ view: 'requests', query: { selected: String(number) } })}>no. {number}</a>;
}

/** A link to the card of an effect. */
export function CardLink({ of }: { readonly of: { readonly code?: string | null; readonly giftCardId: string } }) {
  return (
    <a class="mono" href={hrefOf({ view: 'cards', query: { selected: of.giftCardId } })}>
      {of.code ?? of.giftCardId}
    </a>
  );
}
