import { byId } from '../arrange/adjustments.ts';
import { balanceOf, card } from '../arrange/cards.ts';
import { probe, somethingElse } from '../clause.ts';

probe('adjustment.by-id.overdraw-status', {}, async (t) => {
  const { status } = await byId(t, await card(t), -1.5);
  return status === 400 || status === 409 || status === 422 ? `${status}` : somethingElse(`answers ${status}`);
});

probe('adjustment.zero-amount', {}, async (t) => {
  const on = await card(t);
  const control = await byId(t, on, 0.25);
  const { status } = await byId(t, on, 0);
  await t.control('an adjustment by 0.25', async () => void control);
  if (status === 200 && (await balanceOf(t, on.code)) === 1.25) return 'accepted';
  return status === 400 ? 'refused' : somethingElse(`answers ${status}`);
});
