import { byCode } from '../arrange/adjustments.ts';
import { create, plainCard, purse } from '../arrange/cards.ts';
import { clause } from '../clause.ts';
import { accepted, hasStatus, holds, tellsWhy } from '../expect.ts';

clause('errors.rejection-is-400-plain-text', {}, async (t) => {
  const taken = await plainCard(t);
  const on = await purse(t);
  await t.control('the same create with a fresh code', async () => accepted((await create(t)).answer, 'it'));
  const rejections = [(await create(t, { code: taken.code })).answer, await byCode(t, on, 0.25, { actionedAtUtc: undefined })];
  for (const answer of rejections) {
    hasStatus(answer, 400, 'a rejected request');
    tellsWhy(answer, 'a rejected request');
    holds(!/json|html|xml/i.test(answer.contentType), 'a content type of plain text', answer.contentType);
  }
});
