import { ControlError } from './control-error.ts';

/** The faults or the drills of an account; undefined as long as none was set. */
interface Standing<View> {
  all(): View[];
  remove(id: string): View | undefined;
}

/** Takes one away and answers with how it ended. */
export function taken<View extends { readonly id: string }>(
  kind: 'fault' | 'drill',
  id: string,
  accountId: string,
  standing: Standing<View> | undefined,
): View {
  const removed = standing?.remove(id);
  if (removed) return removed;
  const others = standing?.all().map((each) => each.id) ?? [];
  const known = others.length === 0 ? 'it has none' : `it has ${others.join(', ')}`;
  throw new ControlError(404, `The account ${accountId} has no ${kind} ${id}; ${known}.`);
}
