import { expect, test } from 'vitest';
import { refuse } from '../../mock/pipeline/refusal.ts';
import { named } from './mutants.ts';
import { byCode, decide, type Mutations, request } from './mutation.ts';
import { MutantRunner } from './runner.ts';

const unchanged = request((received) => received);

test.each<[string, Mutations, string]>([
  ['changes nothing', { 'adjustment.is-relative': unchanged }, 'pass'],
  [
    'refuses every creation',
    { 'gift-card.create.starts-active': [decide('createGiftCard', () => refuse('request.invalid'))] },
    'blocked: expected the created card answered with 200; got 400',
  ],
  [
    'breaks with 5xx',
    {
      'adjustment.answers-true': [
        decide(byCode, () => {
          throw new Error('oh');
        }),
      ],
    },
    'the mock breaks with 5xx',
  ],
  [
    'refuses every list',
    { 'list.wraps-cards-and-total': [decide('listGiftCards', () => refuse('request.invalid'))] },
    'the mutant breaks what every test needs (GET /api/GiftCard/List answers 400)',
  ],
  ['belongs to a clause without a test', { 'channels.api-changes-pushed': [unchanged] }, 'the clause has no test'],
])('a mutant that %s survives', async (_, mutations, why) => {
  const [mutant] = named(mutations);
  const result = await new MutantRunner().run(mutant ?? expect.fail('There is no mutant.'));
  expect(result).toMatchObject({ isKilled: false, why: expect.stringContaining(why) });
});
