import type { Asked, Fixture } from '../testing/fixture.ts';
import type { Probes } from './probe.ts';

/** Which of these names the answer about a new card has. */
function namesOf({ create }: Fixture, ...names: string[]): string[] {
  return Object.keys(create()).filter((name) => names.includes(name));
}

const DELETED = { id: '0b9f6a52-6c1e-4b5e-9a57-2f1f4d1c7e10', code: 'GONE', initialValue: 25, deleted: true } as const;

/** What an ID is like, in all the places that tell it; and whether it finds its card in all the places that take it. */
function ids(fixture: Fixture) {
  const { create, ask, account } = fixture;
  const { id } = create();
  const answers: Asked[] = [
    ask('GET', `/api/GiftCard/GetById/${id}`),
    ask('GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardId/${id}`),
    ask('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', {
      giftCardId: id,
      adjustmentAmount: 5,
      actionedAtUtc: '2026-01-15T11:00:00Z',
      uniqueAdjustmentId: 'a probe',
    }),
    ask('DELETE', `/api/GiftCard/VoidById/${id}`),
  ];
  const isOwn = account.state.card(String(id)) !== undefined;
  return [typeof id, isOwn, answers.map(({ status }) => status)];
}

/** The questions of openapi/clauses/cards.yaml. */
export const cardsProbes = {
  'gift-card.response.id-form': {
    observe: ids,
    shows: {
      guid: ['string', true, [200, 200, 200, 200]],
      number: ['number', false, [200, 200, 200, 200]],
      'other-string': ['string', false, [200, 200, 200, 200]],
    },
  },
  'gift-card.response.initial-value-name': {
    observe: (fixture) => namesOf(fixture, 'initialValue', 'originalValue', 'initialBalance'),
    shows: { initialValue: ['initialValue'], originalValue: ['originalValue'], initialBalance: ['initialBalance'] },
  },
  'gift-card.response.expiry-name': {
    observe: (fixture) => namesOf(fixture, 'expiresAtUtc', 'expiresAt', 'expiryDate'),
    shows: { expiresAtUtc: ['expiresAtUtc'], expiresAt: ['expiresAt'], expiryDate: ['expiryDate'] },
  },
  'gift-card.response.created-name': {
    observe: (fixture) => namesOf(fixture, 'createdAtUtc', 'createdAt', 'issuedAtUtc'),
    shows: { createdAtUtc: ['createdAtUtc'], createdAt: ['createdAt'], issuedAtUtc: ['issuedAtUtc'] },
  },
  'gift-card.response.updated-name': {
    observe: (fixture) => namesOf(fixture, 'updatedAtUtc', 'updatedAt', 'lastUpdatedAtUtc'),
    shows: { updatedAtUtc: ['updatedAtUtc'], updatedAt: ['updatedAt'], lastUpdatedAtUtc: ['lastUpdatedAtUtc'] },
  },
  'gift-card.response.recipient-nesting': {
    observe: ({ create }) => {
      const { recipientName, recipient } = create({ recipientName: 'Rita', recipientEmailAddress: 'rita@example.com' });
      return { recipientName, recipient };
    },
    shows: {
      flat: { recipientName: 'Rita', recipient: undefined },
      nested: { recipientName: undefined, recipient: { name: 'Rita', emailAddress: 'rita@example.com' } },
    },
  },
  'gift-card.response.further-properties': {
    observe: (fixture) => namesOf(fixture, 'customField1', 'initialValue', 'recipientName', 'createdAtUtc'),
    shows: {
      'those-of-the-request': ['initialValue', 'recipientName', 'customField1', 'createdAtUtc'],
      'named-only': ['customField1'],
    },
  },
  'gift-card.notes-shown-where': {
    observe: (fixture) => namesOf(fixture, 'notes'),
    shows: { 'in-the-answer': ['notes'], nowhere: [] },
  },
  'gift-card.notes-origin-and-own-text': {
    observe: ({ create }) => create({ notes: 'For the fair' }).notes.split('\n')[0] === 'For the fair',
    shows: { 'origin-first': false, 'own-text-first': true },
  },
  'gift-card.timeline-shown-where': {
    observe: ({ create, adjust, ask }) => {
      const { code, timeline } = create();
      adjust(code, -5);
      const later = ask('GET', `/api/GiftCard/GetByCode/${code}`).body.timeline;
      return [timeline?.length, later?.length];
    },
    shows: { nowhere: [undefined, undefined], 'in-the-answer': [1, 2] },
  },
  'gift-card.deleted-shown-as': {
    account: { cards: [DELETED] },
    observe: ({ ask }) => ask('GET', `/api/GiftCard/GetById/${DELETED.id}`).body.status,
    shows: { 'as-it-was': 'Active', Voided: 'Voided' },
  },
} satisfies Partial<Probes>;
