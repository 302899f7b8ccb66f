import type { Fixture } from '../testing/fixture.ts';
import type { Probes } from './probe.ts';

function profileOf({ ask }: Fixture) {
  return ask('GET', '/api/Company/Profile').body;
}

/** Which of these names the profile has. */
function namesOf(fixture: Fixture, ...names: string[]): string[] {
  return Object.keys(profileOf(fixture)).filter((name) => names.includes(name));
}

/** The questions of openapi/clauses/company.yaml. */
export const companyProbes = {
  'company.name-name': {
    observe: (fixture) => namesOf(fixture, 'name', 'companyName', 'businessName'),
    shows: { name: ['name'], companyName: ['companyName'], businessName: ['businessName'] },
  },
  'company.currency-name': {
    observe: (fixture) => namesOf(fixture, 'currency', 'currencyCode'),
    shows: { currency: ['currency'], currencyCode: ['currencyCode'] },
  },
  'company.time-zone-name': {
    observe: (fixture) => namesOf(fixture, 'timeZone', 'timezone', 'timeZoneId'),
    shows: { timeZone: ['timeZone'], timezone: ['timezone'], timeZoneId: ['timeZoneId'] },
  },
  'company.country-name': {
    observe: (fixture) => namesOf(fixture, 'country', 'countryCode'),
    shows: { country: ['country'], countryCode: ['countryCode'] },
  },
  'company.email-name': {
    observe: (fixture) => namesOf(fixture, 'email', 'emailAddress'),
    shows: { email: ['email'], emailAddress: ['emailAddress'] },
  },
  'company.website-name': {
    observe: (fixture) => namesOf(fixture, 'website', 'websiteUrl'),
    shows: { website: ['website'], websiteUrl: ['websiteUrl'] },
  },
  'company.time-zone-form': {
    account: { timeZone: 'Europe/Berlin' },
    observe: (fixture) => profileOf(fixture).timeZone,
    shows: { iana: 'Europe/Berlin', windows: 'W. Europe Standard Time' },
  },
  'company.currency-form': {
    account: { currency: 'EUR', locale: 'de-DE' },
    observe: (fixture) => profileOf(fixture).currency,
    shows: { 'iso-code': 'EUR', symbol: '€' },
  },
} satisfies Partial<Probes>;
