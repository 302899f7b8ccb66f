import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { everyVerdict, ruleResult, runResult } from '../testing/result-fixture.ts';
import { buildDocument } from './build-document.ts';
import { junitReport } from './junit.ts';

const attributes = (xml: string) => /<testsuites [^>]*>/.exec(xml)?.[0] ?? '';
const cases = (xml: string) =>
  [...xml.matchAll(/<testcase [^>]*? name="([^"]*)"[^>]*>\s*<(failure|error|skipped|system-out)/g)].map(([, name, child]) => [
    name,
    child,
  ]);

test('only failures of the exit code are failures; untested rules and those of the baseline are skipped', () => {
  const xml = junitReport(buildDocument([everyVerdict]));
  expect(attributes(xml)).toContain('tests="10" failures="1" errors="2">');
  expect(xml.match(/<skipped/g)).toHaveLength(2);
  const byName = Object.fromEntries(cases(xml));
  expect(byName).toMatchObject({
    'adjustment.by-id.refuses-overdraw': 'failure',
    'gift-card.void.is-final': 'error',
    'list.page-size-maximum': 'skipped',
    'adjustment.by-id.overdraw-status': 'system-out',
    'adjustment.returns-200': 'skipped',
    'errors.malformed-input-is-no-server-fault': 'system-out',
    'adjustment.returns-true': 'system-out',
  });
});

test('an exit code that no rule explains is an error', () => {
  const untested = runResult([ruleResult('adjustment.returns-true', { verdict: 'untested', reason: 'budget' })]);
  expect(cases(junitReport(buildDocument([untested]))).at(-1)).toEqual(['exit code', 'error']);
  const leaving = runResult([ruleResult('adjustment.returns-true')], { cards: { created: 1, voided: 0, left: ['card#1'] } });
  expect(cases(junitReport(buildDocument([leaving]))).at(-1)).toEqual(['exit code', 'error']);
  const green = runResult([ruleResult('adjustment.returns-true')]);
  expect(cases(junitReport(buildDocument([green]))).at(-1)).toEqual(['exit code', 'system-out']);
});

test('text of the target is escaped', () => {
  const xml = junitReport(buildDocument([everyVerdict]));
  expect(xml).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(xml).not.toContain('<script');
});

interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
}

/** Returns the root element. Enough for the schema and for reports: no CDATA, no processing instructions in the content. */
function parseXml(xml: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [] };
  const open = [root];
  const text = xml.replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->/g, '');
  for (const [, end, name = '', attributes = '', empty] of text.matchAll(/<(\/?)([\w:-]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>/g)) {
    if (end) expect(open.pop()?.name).toBe(name);
    else {
      const values = Array.from(attributes.matchAll(/([\w:]+)="([^"]*)"/g), ([, key = '', value = '']) => [key, value]);
      const element = { name, attributes: Object.fromEntries(values), children: [] };
      open.at(-1)?.children.push(element);
      if (!empty) open.push(element);
    }
  }
  expect(open).toEqual([root]);
  return root.children[0] ?? expect.fail();
}

const within = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...within(child, name)]);

/** The schema of Jenkins, https://github.com/jenkinsci/xunit-plugin, junit-10.xsd. All its elements are global, and no order of elements matters there. */
const schema = parseXml(readFileSync('conformance/testing/fixtures/junit-10.xsd', 'utf8'));
const [time = expect.fail()] = within(schema, 'xs:pattern').map(({ attributes: { value } }) => new RegExp(`^(${value})$`));

/** Returns what the schema does not allow. */
function problemsOf({ name, attributes: given, children }: XmlElement): string[] {
  const declared = schema.children.find((each) => each.name === 'xs:element' && each.attributes.name === name);
  if (!declared) return [`<${name}>`];
  const known = within(declared, 'xs:attribute').map((each) => each.attributes);
  const missing = known.filter((each) => each.use === 'required' && given[each.name ?? ''] === undefined);
  const allowed = within(declared, 'xs:element').map((each) => each.attributes.ref);
  return [
    ...Object.keys(given).flatMap((each) => (known.some((one) => one.name === each) ? [] : [`${name} has ${each}`])),
    ...missing.map((each) => `${name} without ${each.name}`),
    ...known.flatMap((each) =>
      each.type === 'SUREFIRE_TIME' && !time.test(given[each.name ?? ''] ?? '') ? [`${name}: ${each.name}`] : [],
    ),
    ...children.flatMap((child) => (allowed.includes(child.name) ? problemsOf(child) : [`<${child.name}> in <${name}>`])),
  ];
}

test('the file is valid for the schema of Jenkins', () => {
  const xml = junitReport(buildDocument([everyVerdict]));
  expect(problemsOf(parseXml(xml))).toEqual([]);
  // The check notices what the schema forbids.
  const broken = xml
    .replace('<testsuites ', '<testsuites skipped="1" ')
    .replace(' tests="1"', '')
    .replace('<skipped', '<ignored')
    .replace(/ time="[^"]*"/, ' time="1:00"');
  expect(problemsOf(parseXml(broken.replace('</skipped>', '</ignored>')))).toEqual(
    expect.arrayContaining(['testsuites has skipped', '<ignored> in <testcase>', 'testsuite: time', 'testsuite without tests']),
  );
});
