import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('./reference.html', import.meta.url), 'utf8');

test('the reference page asks for its neighbours only', () => {
  expect(page).not.toMatch(/(?:https?:)?\/\/[a-z]/i);
  expect(page).toContain("'./openapi.json?rules=true'");
  expect(page).toContain('src="./redoc.standalone.js"');
  expect(page).toContain("default-src 'self'");
});
