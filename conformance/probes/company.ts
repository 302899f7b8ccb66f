import { currencyLeaf, profile, zoneLeaf } from '../arrange/company.ts';
import { probe, somethingElse } from '../clause.ts';
import { namedAs } from '../structure.ts';

probe('company.name-name', {}, async (t) => namedAs(await profile(t), 'name', 'companyName', 'businessName'));

probe('company.currency-name', {}, async (t) => namedAs(await profile(t), 'currency', 'currencyCode'));

probe('company.time-zone-name', {}, async (t) => namedAs(await profile(t), 'timeZone', 'timezone', 'timeZoneId'));

probe('company.country-name', {}, async (t) => namedAs(await profile(t), 'country', 'countryCode'));

probe('company.email-name', {}, async (t) => namedAs(await profile(t), 'email', 'emailAddress'));

probe('company.website-name', {}, async (t) => namedAs(await profile(t), 'website', 'websiteUrl'));

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
