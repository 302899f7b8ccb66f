import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import type { Trial } from '../core/trial.ts';
import { currencyLeaf, profile, zoneLeaf } from '../scenarios/company.ts';
import { type ProfilePart, profilePlace } from '../scenarios/profile-places.ts';
import { namedIn } from './names.ts';

async function named<const Name extends string>(
  t: Trial,
  part: ProfilePart,
  ...behaviors: Name[]
): Promise<Name | SomethingElse> {
  const json = await profile(t);
  return namedIn(json, profilePlace(json, part), ...behaviors);
}

probe('company.name-name', {}, (t) => named(t, 'name', 'name', 'companyName', 'businessName'));

probe('company.currency-name', {}, (t) => named(t, 'currency', 'currency', 'currencyCode'));

probe('company.time-zone-name', {}, (t) => named(t, 'timeZone', 'timeZone', 'timezone', 'timeZoneId'));

probe('company.country-name', {}, (t) => named(t, 'country', 'country', 'countryCode'));

probe('company.email-name', {}, (t) => named(t, 'email', 'email', 'emailAddress'));

probe('company.website-name', {}, (t) => named(t, 'website', 'website', 'websiteUrl'));

probe('company.time-zone-form', {}, async (t) => {
  const zone = zoneLeaf(await profile(t));
  if (zone === undefined) return somethingElse('no time zone can be found');
  if (/^[A-Z]\w+(\/[\w+-]+)+$|^(UTC|GMT)$/.test(zone)) return 'iana';
  return /Standard Time$/.test(zone) ? 'windows' : somethingElse(`written as ${zone.replace(/\d/g, '0')}`);
});

probe('company.currency-form', {}, async (t) => {
  const currency = currencyLeaf(await profile(t));
  if (currency === undefined) return somethingElse('no currency can be found');
  if (/^[A-Z]{3}$/.test(currency)) return 'iso-code';
  return /^\p{Sc}$/u.test(currency) ? 'symbol' : somethingElse(`written with ${currency.length} characters`);
});
