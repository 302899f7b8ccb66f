import { changeSettings, deleteKey } from '../control/settings.ts';
import { type Fixture, NOON } from '../testing/fixture.ts';
import { worldOf } from '../world/read.ts';
import { answerTo, NO_KEY } from './asked.ts';
import type { Probes } from './probe.ts';

const LIST = '/api/GiftCard/List';
const KEY = 'Sandbox-Key';

/** The status now, a second before a minute has passed, and when it has. */
function overAMinute({ ask, at }: Fixture): readonly number[] {
  return [0, 59_000, 60_000].map((later) => {
    at(NOON + later);
    return ask('GET', LIST, undefined, KEY).status;
  });
}

/** The questions of openapi/clauses/authentication.yaml. */
export const authenticationProbes = {
  'authentication.key-of-other-account': {
    observe: (fixture) => {
      const [other] = worldOf({ accounts: [{ id: 'other' }] }).accounts;
      if (other) fixture.sandbox.add(other);
      const hosts = ['127.0.0.1:8460', `${fixture.account.id}.localhost:8460`, 'other.localhost:8460'];
      return hosts.map((host) => answerTo(fixture, { headers: { host } }).status);
    },
    shows: { 'acts-on-its-own-account': [200, 200, 200], 'refused-at-this-address': [200, 200, 401] },
  },
  'authentication.plan-status': {
    account: { plan: 'Basic' },
    observe: ({ ask }) => ask('GET', LIST).status,
    shows: { '401': 401, '402': 402, '403': 403 },
  },
  'authentication.deleted-key-takes-effect': {
    account: { keys: [{ key: KEY }] },
    observe: (fixture) => {
      deleteKey(fixture.sandbox, fixture.account, KEY);
      return overAMinute(fixture);
    },
    shows: { 'next-request': [401, 401, 401], later: [200, 200, 401] },
  },
  'authentication.plan-change-takes-effect': {
    account: { keys: [{ key: KEY }] },
    observe: (fixture) => {
      changeSettings(fixture.account, { plan: 'Basic' });
      return overAMinute(fixture);
    },
    shows: { 'next-request': [401, 401, 401], later: [200, 200, 401] },
  },
  'authentication.inactive-subscription': {
    account: { subscriptionActive: false },
    observe: ({ ask }) => ask('GET', LIST).status,
    shows: { open: 200, refused: 401 },
  },
  'authentication.key-letter-case': {
    account: { keys: [{ key: KEY }] },
    observe: ({ ask }) => [KEY, KEY.toLowerCase()].map((key) => ask('GET', LIST, undefined, key).status),
    shows: { counts: [200, 401], ignored: [200, 200] },
  },
  'authentication.key-elsewhere': {
    account: { keys: [{ key: KEY }] },
    observe: (fixture) => [
      answerTo(fixture, { target: `${LIST}?x-api-key=${KEY}`, headers: NO_KEY }).status,
      answerTo(fixture, { headers: { ...NO_KEY, authorization: `Bearer ${KEY}` } }).status,
      answerTo(fixture, {}).status,
    ],
    shows: { 'header-only': [401, 401, 200], 'also-query': [200, 401, 200], 'also-bearer': [401, 200, 200] },
  },
} satisfies Partial<Probes>;
