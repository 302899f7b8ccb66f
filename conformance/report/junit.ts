import XMLBuilder from 'fast-xml-builder';
import { type Document, itemOf, type ReportItem, titleOf } from './document.ts';
import { visible } from './escape.ts';
import { itemText } from './text.ts';

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true, suppressEmptyNode: true });

/** Renders a test suite for each group, and a test case for each item and for the exit code. A skipped test case was not tested, or the baseline excuses it. */
export function junitReport(document: Document, page?: string): string {
  const { suite, startedAt } = document;
  const groups = [...document.groups, { heading: 'The command', items: [exitItem(document)] }];
  const xml = builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': text(suite),
      // The schema of Jenkins allows no attribute `skipped` here.
      ...counts(groups.flatMap(({ items }) => items)),
      testsuite: groups.map(({ heading, items }) => ({
        '@name': text(heading),
        ...counts(items),
        '@skipped': numberOf(items, 'skipped'),
        '@time': seconds(items.reduce((sum, { ms }) => sum + ms, 0)),
        // Timestamps in JUnit have no time zone.
        '@timestamp': startedAt.replace(/(\.\d+)?Z$/, ''),
        testcase: items.map((item) => testcase(heading, item, page)),
      })),
    },
  });
  return String(xml);
}

/** Returns the item of the exit code. The item is an error if no other item explains the exit code. */
function exitItem(document: Document): ReportItem {
  const { groups, tone, headings, outcomes, summary, notices } = document;
  const isExplained = groups.some(({ items }) => items.some(({ outcome }) => outcome === 'failure' || outcome === 'error'));
  const about = notices.flatMap(({ label, text: said, lines = [] }) => [`${label} ${said}`, ...lines]);
  const outcome = tone === 'bad' && !isExplained ? 'error' : 'passed';
  const cause = outcomes.map(({ because }) => because).join(' ');
  const body = [...headings, titleOf(document), ...summary, ...about, cause].join('\n');
  return itemOf({ name: 'exit code', status: outcome, outcome, display: 'full', cause, text: body });
}

function testcase(classname: string, item: ReportItem, page: string | undefined) {
  const { name, ms, outcome, status, cause } = item;
  const attributes = { '@classname': text(classname), '@name': text(name), '@time': seconds(ms) };
  const message = text(cause.replaceAll('\n', ' '));
  const body = text(itemText(item, page));
  if (outcome === 'passed') return { ...attributes, 'system-out': body };
  if (outcome === 'skipped') return { ...attributes, skipped: { '@message': `${status}: ${message}` }, 'system-out': body };
  return { ...attributes, [outcome]: { '@message': message, '#text': body } };
}

/** Replaces characters that XML forbids even as entities: control characters, U+FFFE and U+FFFF. */
const text = (value: string): string => visible(value).replace(/[\uFFFE\uFFFF]/g, '\uFFFD');
const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

const numberOf = (items: readonly ReportItem[], wanted: ReportItem['outcome']): string =>
  String(items.filter(({ outcome }) => outcome === wanted).length);

const counts = (items: readonly ReportItem[]) => ({
  '@tests': String(items.length),
  '@failures': numberOf(items, 'failure'),
  '@errors': numberOf(items, 'error'),
});
