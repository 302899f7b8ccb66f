import { answerTo, formOf, fourForms, post } from './asked.ts';
import type { Probes } from './probe.ts';

const CREATE = '/api/GiftCard/Create';

/** The questions of openapi/clauses/errors.yaml. */
export const errorsProbes = {
  'errors.body-of-401': {
    observe: ({ ask }) => formOf(ask('GET', '/api/GiftCard/List', undefined, null)),
    shows: fourForms(401),
  },
  'errors.body-of-404': {
    observe: ({ ask }) => formOf(ask('GET', '/api/GiftCard/GetByCode/NONE')),
    shows: fourForms(404),
  },
  'errors.body-of-429': {
    rateLimit: 1,
    observe: ({ ask }) => {
      ask('GET', '/api/GiftCard/List');
      return formOf(ask('GET', '/api/GiftCard/List'));
    },
    shows: fourForms(429),
  },
  'errors.rejection-charset': {
    observe: (fixture) => answerTo(fixture, post(CREATE, '{}')).headers['content-type'],
    shows: { 'utf-8': 'text/plain; charset=utf-8', none: 'text/plain' },
  },
  'errors.every-rejection-plain-text': {
    account: { cards: [{ code: 'A-1', initialValue: 5 }] },
    observe: ({ ask }) => {
      const outOfBounds = ask('POST', CREATE, { balance: -5 });
      const fields = outOfBounds.mediaType === 'application/json' ? Object.keys(outOfBounds.body.errors) : [];
      return [
        outOfBounds.status,
        fields,
        ask('POST', CREATE, {}).mediaType,
        ask('POST', CREATE, { balance: 5, code: 'A-1' }).mediaType,
      ];
    },
    shows: {
      'plain-text': [400, [], 'text/plain', 'text/plain'],
      json: [400, ['balance'], 'text/plain', 'text/plain'],
    },
  },
  'errors.several-reasons': {
    observe: ({ ask }) => {
      const { status, body } = ask('POST', CREATE, { balance: -5, code: 7, notes: [] });
      return [status, ['balance', 'code', 'notes'].filter((field) => body.includes(field))];
    },
    shows: { first: [400, ['balance']], all: [400, ['balance', 'code', 'notes']] },
  },
} satisfies Partial<Probes>;
