import { expect, test } from 'vitest';
import { windowsZone } from './windows-zones.ts';

test.each([
  ['Europe/Berlin', 'W. Europe Standard Time'],
  ['America/New_York', 'Eastern Standard Time'],
  ['Asia/Kolkata', 'India Standard Time'],
  ['Europe/Kyiv', 'FLE Standard Time'],
  ['UTC', 'UTC'],
  ['Etc/UTC', 'UTC'],
])('company.time-zone-form: %s', (zone, name) => {
  expect(windowsZone(zone)).toBe(name);
});

test('Windows has a name for every zone that the runtime knows, but for one of the Antarctic', () => {
  expect(Intl.supportedValuesOf('timeZone').filter((zone) => windowsZone(zone) === undefined)).toEqual(['Antarctica/Troll']);
});
