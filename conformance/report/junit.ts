import XMLBuilder from 'fast-xml-builder';
import type { Document, Item } from './document.ts';
import { visible } from './escape.ts';
import { itemText } from './text.ts';

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true, suppressEmptyNode: true });

type Case = Pick<Item, 'name' | 'ms' | 'outcome'> & { readonly message: string; readonly text: string };

/** Renders a suite for each group, a case for each item, and a case for the exit code. Observations are skipped cases. */
export function junitReport(document: Document, page?: string): string {
  const { groups, suite, startedAt } = document;
  const suites = [
    ...groups.map(({ heading, items }) => ({ heading, cases: items.map((item) => caseOf(item, page)) })),
    { heading: 'The command', cases: [exitCase(document)] },
  ];
  const xml = builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': text(suite),
      ...counts(suites.flatMap(({ cases }) => cases)),
      testsuite: suites.map(({ heading, cases }) => ({
        '@name': text(heading),
        ...counts(cases),
        '@time': seconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
        // Timestamps in JUnit have no time zone.
        '@timestamp': startedAt.replace(/(\.\d+)?Z$/, ''),
        testcase: cases.map((each) => element(heading, each)),
      })),
    },
  });
  return String(xml);
}

const caseOf = (item: Item, page: string | undefined): Case => ({
  name: item.name,
  ms: item.ms,
  outcome: item.outcome,
  message: item.outcome === 'skipped' ? `${item.status}: ${item.cause}` : item.cause,
  text: itemText(item, page),
});

/** Returns an error if no failed item explains the exit code. */
function exitCase({ groups, tone, title, summary, notices, end }: Document): Case {
  const isExplained = groups.some(({ items }) => items.some(({ outcome }) => outcome === 'failure' || outcome === 'error'));
  const about = notices.flatMap(({ label, text: said, lines = [] }) => [`${label} ${said}`, ...lines]);
  return {
    name: 'exit code',
    ms: 0,
    outcome: tone === 'bad' && !isExplained ? 'error' : 'passed',
    message: end.join(' '),
    text: [title, ...summary, ...about, ...end].join('\n'),
  };
}

function element(classname: string, { name, ms, outcome, message, text: body }: Case) {
  const attributes = { '@classname': text(classname), '@name': text(name), '@time': seconds(ms) };
  const attribute = { '@message': text(message.replaceAll('\n', ' ')) };
  if (outcome === 'passed') return { ...attributes, 'system-out': text(body) };
  if (outcome === 'skipped') return { ...attributes, skipped: attribute, 'system-out': text(body) };
  return { ...attributes, [outcome]: { ...attribute, '#text': text(body) } };
}

/** XML forbids control characters and these two characters, also as entities. */
const text = (value: string): string => visible(value).replace(/[\uFFFE\uFFFF]/g, '\uFFFD');
const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

function counts(cases: readonly Case[]) {
  const number = (outcome: Item['outcome']) => String(cases.filter((each) => each.outcome === outcome).length);
  return {
    '@tests': String(cases.length),
    '@failures': number('failure'),
    '@errors': number('error'),
    '@skipped': number('skipped'),
  };
}
