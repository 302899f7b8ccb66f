import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { programOf } from '../../cli/commands.ts';
import { type Flags, optionOf, variableOf } from '../../cli/flags.ts';
import { type MockSettings, mockFlags } from '../../cli/mock/flags.ts';
import type { CommandDefinition } from '../../cli/run-command.ts';
import type { MockOptions } from '../../mock/server/options.ts';
import type { JsonObject } from '../../openapi/document.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import type { Rule, Rules } from './rule-names.ts';

/** Returns each page of docs/ with fresh tables. In a page, a table is between the comments `<!-- table NAME -->` and `<!-- end -->`. */
export function pages(folder: string, tables: Readonly<Record<string, string>>): Record<string, string> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return Object.fromEntries(files.map((name) => [name, withTables(readFileSync(join(folder, name), 'utf8'), tables)]));
}

export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  return page.replace(/(<!-- table (\S+) -->\n).*?(<!-- end -->)/gs, (_, begin: string, name: string, end: string) => {
    if (tables[name] === undefined)
      throw new Error(`There is no table ${name}; the tables are ${Object.keys(tables).join(', ')}.`);
    return `${begin}\n${tables[name]}\n\n${end}`;
  });
}

/** Returns the tables by name: from the commands, and from the schemas and rules under `root`. */
export async function documentTables(root: string, profile: JsonObject): Promise<Record<string, string>> {
  const yaml = (path: string) => parse(readFileSync(join(root, path), 'utf8'));
  const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const contract = json('openapi/generated/contract.json');
  const byFile = (head: readonly string[], rowsOf: (rule: [string, Rule]) => string[][]) =>
    readdirSync(join(root, 'openapi/rules')).map((file) => {
      const text = readFileSync(join(root, 'openapi/rules', file), 'utf8');
      const rows = Object.entries(parse(text) as Rules).flatMap(rowsOf);
      return rows.length > 0 ? `### ${/^# ([^:.,]*)/.exec(text)?.[1]}\n\n${table(head, rows)}` : '';
    });
  const names = Object.values(
    yaml('openapi/names.yaml') as Record<string, { targets: string[]; alternatives: string[] }[]>,
  ).flat();
  return {
    commands: await commandSections(),
    settings: settings(),
    world: Object.entries<Described>(json('mock/world/world.schema.json').$defs).map(entity).join('\n\n'),
    profile: table(['entry', 'meaning'], properties(profile)),
    mainQuestions: table(
      ['question', 'default'],
      mainQuestions.map((name) => mainRow(name, contract['x-rules'][name])),
    ),
    behaviors: sections(byFile(['question', 'options'], behaviorRows)),
    rules: sections(byFile(['name', 'rule'], ruleRows)),
    fixedBehaviors: table(
      ['name', 'behavior'],
      Object.entries<string>(yaml('openapi/fixed-behaviors.yaml')).map(([name, text]) => [
        anchor(name) + code(name),
        prose(text),
      ]),
    ),
    names: table(
      ['name in the contract', 'other names'],
      names.map(({ targets, alternatives }) => [list(targets), list(alternatives)]),
    ),
    operations: operations(json('mock/control/generated/control.json')),
    topics: table(['topic', 'description'], Object.entries<Webhook>(contract.webhooks).map(topicRow)),
    service: operations(contract),
  };
}

const code = (text: string) => `\`${text}\``;
/** Returns the target of a link to a row of a table, for VitePress and for code hosts. */
const anchor = (name: string) => `<a id="${name}"></a>`;
const list = (texts: readonly string[]) => texts.map(code).join(', ');
/** Escapes text that Markdown or VitePress would interpret. */
const prose = (text: string) => text.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;').replaceAll('*', '\\*');
const sections = (texts: readonly string[]) => texts.filter((text) => text !== '').join('\n\n');
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

/** Returns a section for each command with its own flags, and a table of the flags that several commands share. */
async function commandSections(): Promise<string> {
  const nowhere = { write: () => {} };
  const { commands = [] } = await programOf({}, { stdout: nowhere, stderr: nowhere }, () => true);
  const all = commands.flatMap((each) => namedCommands(each));
  const users = new Map<string, string[]>();
  for (const [name, definition] of all)
    for (const row of flagRows(definition))
      users.set(`${row}`, [...(users.get(`${row}`) ?? []), name.replace('conformance ', '')]);
  const isShared = (row: string[]) => (users.get(`${row}`) ?? []).length > 1;
  const shared = new Map(all.flatMap(([, each]) => flagRows(each).filter(isShared)).map((row) => [`${row}`, row]));
  return sections([
    ...all.flatMap(([name, definition]) => commandSection(name, definition, isShared)),
    '## Shared flags\n\nIn the last column, the commands of `conformance` are without their first word: `run` is `conformance run`.',
    table(
      ['flag', 'meaning', 'commands'],
      Array.from(shared, ([key, row]) => [...row, (users.get(key) ?? []).join(', ')]),
    ),
  ]);
}

function namedCommands(definition: CommandDefinition, parent = ''): [name: string, definition: CommandDefinition][] {
  const name = `${parent}${definition.usage.split(' ', 1)[0]}`;
  return definition.commands?.flatMap((each) => namedCommands(each, `${name} `)) ?? [[name, definition]];
}

function commandSection(name: string, definition: CommandDefinition, isShared: (row: string[]) => boolean): string[] {
  const { summary, notes = '', examples = [] } = definition;
  const own = flagRows(definition).filter((row) => !isShared(row));
  const shared = flagRows(definition).flatMap((row) => (isShared(row) ? (row[0]?.replace(/ .*`/, '`') ?? []) : []));
  const [text = '', codes = ''] = notes.split('Exit codes: ');
  const codeRows = Array.from(codes.matchAll(/(\d+) (.*?)(?:; (?=\d+ )|\.$)/g), ([, exit = '', means = '']) => [
    code(exit),
    prose(means),
  ]);
  return [
    `## ${name}\n\n${prose(summary)}.\n\n\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
    own.length > 0 ? table(['flag', 'meaning'], own) : '',
    shared.length > 0 ? `${own.length > 0 ? 'Also' : 'Only'} [shared flags](#shared-flags): ${shared.join(', ')}.` : '',
    prose(text.trim()),
    table(['exit code', 'means'], codeRows),
  ];
}

const flagRows = ({ flags = {} }: CommandDefinition): string[][] =>
  Object.entries(flags).map(([flag, { placeholder, help }]) => [flagName(flag, placeholder), prose(help)]);

const flagName = (name: string, placeholder = '') => code(`--${name} ${placeholder}`.trim());

/** Settings that startMock does not have. */
const onlyFlags: Record<Exclude<keyof MockSettings, keyof MockOptions>, true> = {
  logFormat: true,
  quiet: true,
  writeProfile: true,
};

/** Returns the settings of the mock: flag, environment variable, and option of startMock. */
function settings(): string {
  const rows = Object.entries(mockFlags as Flags).map(([flag, { placeholder, help }]) => {
    const option = optionOf(flag.replace('no-', '').replace('allow-host', 'allow-hosts'));
    const name = `${flagName(flag, placeholder)}<br>${code(variableOf(flag))}`;
    return [name, option in onlyFlags ? '' : code(option), prose(help)];
  });
  return table(['flag and environment variable', 'option of `startMock`', 'meaning'], rows);
}

interface Described {
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Described>>;
}

const entity = ([name, node]: [string, Described]) =>
  `### ${name}\n\n${prose(node.description ?? '')}\n\n${table(['property', 'meaning'], properties(node))}`;

/** Returns a row for each property, and for the properties of inner objects. */
function properties(node: Described, path = ''): string[][] {
  return Object.entries(node.properties ?? {}).flatMap(([name, each]) => {
    const isRequired = node.required?.includes(name) ? ' Required.' : '';
    const values = each.enum ? ` One of ${list(each.enum)}.` : '';
    const isPlain = ['string', 'number', 'boolean'].includes(typeof each.default) && each.default !== '';
    const byDefault = isPlain ? ` Default: ${code(`${each.default}`)}.` : '';
    const text = `${prose(each.description ?? '')}${values}${byDefault}${isRequired}`;
    return [[code(`${path}${name}`), text], ...properties(each, `${path}${name}.`)];
  });
}

const ruleRows = ([name, { level, text = '', robustness }]: [string, Rule]) =>
  level === 'stated' && !robustness ? [[code(name), prose(text)]] : [];

/** The questions on which most integrations depend. */
const mainQuestions: readonly RuleName[] = [
  'errors.every-rejection-plain-text',
  'gift-card.void.again',
  'delivery.updated.without-notification',
  'adjustment.by-id.overdraw-status',
  'gift-card.status.below-zero',
  'adjustment.expired-card',
  'idempotency.refused-request',
  'gift-card.response.recipient-nesting',
  'delivery.failure',
  'limits.rate-shared',
];

function mainRow(name: RuleName, { question = '', behaviors, default: option = '' }: Rule): string[] {
  return [`[${prose(question)}](#${name})`, optionText(option, behaviors?.[option], option)];
}

function behaviorRows([name, { question = '', behaviors = {}, default: byDefault }]: [string, Rule]): string[][] {
  const options = Object.entries(behaviors).map(([option, each]) => optionText(option, each, byDefault));
  return options.length > 0 ? [[`${anchor(name)}${prose(question)}<br>${code(name)}`, options.join('<br>')]] : [];
}

function optionText(option: string, each: { says?: string } | null | undefined, byDefault?: string): string {
  const shown = option === byDefault ? `**${code(option)}**` : code(option);
  return each?.says === undefined ? shown : `${shown}: ${prose(each.says)}`;
}

interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface Operation {
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly 'x-client'?: string;
}

type Webhook = { readonly post: Operation };
const topicRow = ([topic, { post }]: [string, Webhook]) => [code(topic), prose(post.description ?? '')];

function operations({ tags, paths }: ApiDocument): string {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, description = '', 'x-client': client = '', ...rest }]) => {
      const address = `${method.toUpperCase()} ${path.replace('/accounts/{account}', '…')}`;
      const call = client === '' ? '' : `<br>${code(client.replace(/^(account\.)?/, 'account.'))}`;
      return { tags: rest.tags, row: [code(address) + call, prose(`${summary}. ${description}`.trim())] };
    }),
  );
  const section = ({ name, description }: ApiDocument['tags'][number]) => {
    const rows = all.flatMap((operation) => (operation.tags?.includes(name) ? [operation.row] : []));
    return rows.length === 0 ? '' : `### ${name}\n\n${prose(description)}\n\n${table(['address', 'does'], rows)}`;
  };
  return sections(tags.map(section));
}
