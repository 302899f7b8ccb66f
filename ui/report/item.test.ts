import { expect, test } from 'vitest';
import { shellScript } from './item.tsx';

test('the script names the variables to set first, each once', () => {
  const lines = [`curl -sSg http://127.0.0.1/api/GiftCard/GetById/"$card_1_id" -H 'x-api-key: '"$GIFTCARD_API_KEY"`];
  const script = shellScript([...lines, ...lines]).split('\n');
  expect(script[0]).toContain('first: card_1_id, GIFTCARD_API_KEY.');
  expect(script.slice(1)).toEqual([...lines, ...lines]);
});
