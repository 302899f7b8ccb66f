import { expect, test } from 'vitest';
import { everyVerdict } from '../testing/result-fixture.ts';
import { buildDocument } from './build-document.ts';
import { markdownReport } from './markdown.ts';

test('a summary has the outcome, and the text report in a code block', () => {
  const text = markdownReport(buildDocument([everyVerdict]), 'out/report.html');
  expect(text).toMatch(/^## ❌ FAIL {2}1 of 6 stated rules violated/);
  expect(text).toContain('Evidence     out/report.html#adjustment.by-id.refuses-overdraw');
  // An indented block ends only at a line that is not indented.
  const [, , ...lines] = text.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^ {4}giftcard conformance · /);
  expect(lines.filter((line) => !line.startsWith('    '))).toEqual([]);
});
