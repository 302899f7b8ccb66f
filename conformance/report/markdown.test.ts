import { expect, test } from 'vitest';
import { everyVerdict } from '../testing/result-fixture.ts';
import { documentOf } from './build-document.ts';
import { markdownReport } from './markdown.ts';

test('a summary has the outcome, and the text report in a safe fence', () => {
  const text = markdownReport(documentOf([everyVerdict]), 'out/report.html');
  expect(text).toMatch(/^## ❌ FAIL {2}1 of 6 stated rules violated/);
  expect(text).toContain('Evidence     out/report.html#adjustment.by-id.refuses-overdraw');
  expect(text).toContain('\n````text\ngiftcard conformance · ');
  expect(text.trimEnd().endsWith('\n````')).toBe(true);
});
