import { called } from '../core/cli-name.ts';
import { type Flag, type FlagName, flagTable } from './flag-table.ts';
import { exitsOfAll, type Told, toldOf } from './help-texts.ts';

/** The flags that each command takes, by its name, which of facts has two words. */
export type Takes = Readonly<Record<keyof typeof toldOf, readonly FlagName[]>>;

const all = Object.entries(toldOf) as [keyof typeof toldOf, Told][];

const and = new Intl.ListFormat('en-GB');

/** All commands in a line each, all flags with the commands that take them where these are few, and what the exit codes mean. */
export function overview(takes: Takes): string {
  const commands = all.map(([name, { usage, does }]): Line => [`${name} ${usage}`, does]);
  const flags = (Object.keys(flagTable) as FlagName[]).map((name): Line => {
    const by = all.flatMap(([command]) => (takes[command].includes(name) ? [command] : []));
    const few = by.length > 0 && by.length <= fewCommands ? `of ${and.format(by)}: ` : '';
    const otherwise = by.filter((command) => (toldOf[command] as Told).flags?.[name] !== undefined);
    const more = otherwise.length > 0 && otherwise.length < by.length ? `; otherwise of ${and.format(otherwise)}` : '';
    return [flagged(name, undefined), few + flagTable[name].says + more];
  });
  return [
    `${called}: holds a gift card service against the specification, clause by clause.`,
    `  ${called} COMMAND …\n`,
    lines(commands),
    lines(flags),
    `Exit codes of run (${called} COMMAND --help has those of each command, with its flags and an example):\n`,
    exits(toldOf.run),
  ].join('\n');
}

/** Usage, flags, an example and exit codes of one command, or of those that begin with the word; undefined where there is none. */
export function helpOf(words: readonly string[], takes: Takes): string | undefined {
  const name = [words.slice(0, 2).join(' '), words[0]].find((each) => Object.hasOwn(toldOf, each ?? ''));
  return name === undefined ? groupHelpOf(words[0] ?? '') : alone(name as keyof typeof toldOf, takes);
}

/** The commands that begin with a word that is none by itself; undefined where there are none. */
export function groupHelpOf(word: string): string | undefined {
  const group = all.filter(([each]) => each.startsWith(`${word} `));
  if (group.length === 0) return undefined;
  const those = group.map(([each, { usage, does }]): Line => [`${each} ${usage}`, does]);
  return `Usage: ${called} ${word} …\n\n${lines(those)}\nSee ${called} ${group[0]?.[0]} --help, and so on.\n`;
}

function alone(name: keyof typeof toldOf, takes: Takes): string {
  const told: Told = toldOf[name];
  const flags = [...takes[name], 'help' as const].map(
    (flag): Line => [flagged(flag, told.flags?.[flag]?.value), told.flags?.[flag]?.says ?? flagTable[flag].says],
  );
  return [
    `Usage: ${called} ${name} ${told.usage}`,
    `${told.does.charAt(0).toUpperCase()}${told.does.slice(1)}.\n`,
    lines(flags),
    `Example:\n  ${called} ${name} ${told.example}\n`,
    `Exit codes:\n${exits(told)}`,
  ].join('\n');
}

type Line = readonly [label: string, says: string];

function flagged(name: FlagName, value: string | undefined): string {
  const flag: Flag = flagTable[name];
  return [`--${name}`, ...(flag.value === undefined ? [] : [value ?? flag.value])].join(' ');
}

const exits = (told: Told): string =>
  lines(Object.entries({ ...exitsOfAll, ...told.exits }).map(([code, says]): Line => [code, says]));

const fewCommands = 2;
const width = 130;

/** What is said in a column of its own, in as many lines as it takes. */
function lines(of: readonly Line[]): string {
  const column = Math.min(Math.max(...of.map(([label]) => label.length)), 44) + 4;
  return of
    .map(([label, says]) => {
      const gap = label.length + 4 > column ? `\n${' '.repeat(column)}` : ' '.repeat(column - label.length - 2);
      return `  ${label}${gap}${wrapped(says, width - column).join(`\n${' '.repeat(column)}`)}\n`;
    })
    .join('');
}

function wrapped(text: string, room: number): string[] {
  const found: string[] = [];
  for (const word of text.split(' ')) {
    const last = found.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) found[found.length - 1] = `${last} ${word}`;
    else found.push(word);
  }
  return found;
}
