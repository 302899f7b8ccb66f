import { expect, test } from 'vitest';
import { everyVerdict } from '../testing/result-fixture.ts';
import { documentOf } from './build-document.ts';
import { markdownReport } from './markdown.ts';

test('a summary has the outcome, the failures in safe fences, and a table of counts', () => {
  const text = markdownReport(documentOf([everyVerdict]), 'out/report.html');
  expect(text).toMatch(/^## ❌ /);
  expect(text).toContain('Evidence     out/report.html#adjustment.by-id.refuses-overdraw');
  expect(text).toContain('\n````text\n');
  expect(text).toMatch(/\| Section \|( [\w-]+ \|)+\n/);
});
