import { expect, test } from 'vitest';
import { everyVerdict, ruleResult, runResult } from '../testing/result-fixture.ts';
import { buildDocument } from './build-document.ts';
import { badge } from './formats.ts';

const green = runResult([ruleResult('adjustment.returns-true')]);

const parts = (svg: string) => {
  const [, color] = /<rect [^>]+ fill="([^"]+)"/.exec(svg) ?? [];
  const texts = Array.from(svg.matchAll(/<text x="(\d+)" y="14" textLength="(\d+)">([^<]*)</g), ([, x, width, text]) => ({
    end: Number(x) + Number(width),
    text,
  }));
  return { color, texts, width: Number(/width="(\d+)"/.exec(svg)?.[1]) };
};

test('the badge has the verdict, its count and its color', () => {
  const [good, bad] = [green, everyVerdict].map((result) => parts(badge(buildDocument([result]))));
  expect(good?.texts[1]?.text).toBe('PASS · 1 of 1 stated rule holds');
  expect(bad?.texts[1]?.text).toMatch(/^FAIL · 1 of \d stated rules violated$/);
  expect(good?.color).not.toBe(bad?.color);
});

test('the badge of several results counts their verdicts', () => {
  expect(parts(badge(buildDocument([green, everyVerdict, green]))).texts[1]?.text).toBe('2 PASS, 1 FAIL');
});

test('the texts are inside the badge', () => {
  const { texts, width } = parts(badge(buildDocument([green])));
  expect(texts[0]?.end).toBeLessThan(texts[1]?.end ?? 0);
  expect(texts[1]?.end).toBeLessThan(width);
});
