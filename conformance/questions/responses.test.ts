import { expect, test } from 'vitest';
import { optionFor } from './responses.ts';

test.each(['constructor', '__proto__', 'other'])('the value %s of a target is not an option', (value) => {
  expect(optionFor(value, { Active: 'active' })).toMatchObject({ text: `is ${value}` });
});
