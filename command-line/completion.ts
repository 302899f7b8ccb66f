import type { Flags } from './flags.ts';
import type { Io } from './io.ts';
import type { CommandDefinition } from './run-command.ts';

/** A command as the shells know it. The path of the program itself is empty; every other path begins with a blank: " conformance run". */
interface Completed {
  readonly path: string;
  readonly definition: CommandDefinition;
}

/** Returns the command that prints a completion script. `load` returns the definition of the whole program. */
export function completionCommand(io: Io, load: () => Promise<CommandDefinition>): CommandDefinition {
  return {
    usage: 'completion <shell>',
    summary: 'Prints a script that completes commands, flags and values in your shell',
    known: Object.keys(scripts),
    notes: `Shells: ${Object.keys(scripts).join(', ')}. Add the line of your shell to its start-up file, such as ~/.bashrc or $PROFILE.\nExit codes: 0 printed; 2 the shell is missing or unknown.`,
    examples: [
      'source <(giftcard-sandbox completion bash)',
      'giftcard-sandbox completion fish | source',
      'giftcard-sandbox completion powershell | Out-String | Invoke-Expression',
    ],
    run: async (_, [shell = '']) => {
      io.stdout.write(scripts[shell as keyof typeof scripts](completed(await load())));
      return 0;
    },
  };
}

const wordOf = ({ usage }: CommandDefinition) => usage.split(' ', 1)[0] as string;

function completed(definition: CommandDefinition, path = ''): Completed[] {
  const { commands = [] } = definition;
  return [{ path, definition }, ...commands.flatMap((inner) => completed(inner, `${path} ${wordOf(inner)}`))];
}

/** Returns the words that can follow a command. */
const wordsOf = ({ commands = [], known = [], flags = {} }: CommandDefinition): string[] => [
  ...commands.map(wordOf),
  ...known,
  ...Object.keys(flags).map((flag) => `--${flag}`),
  '--help',
];

/** Returns the known values of each flag with a value. Flags with other values, such as files, have an empty list. */
const valuesOf = (flags: Flags = {}): (readonly [flag: string, values: readonly string[]])[] =>
  Object.entries(flags).flatMap(([flag, { placeholder, known = [] }]) =>
    placeholder === undefined ? [] : [[flag, known] as const],
  );

function bash(all: readonly Completed[]): string {
  const commands = all.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`]));
  const words = all.map(({ path, definition }) => `        '${path}') words='${wordsOf(definition).join(' ')}' ;;`);
  const values = all.flatMap(({ path, definition }) =>
    valuesOf(definition.flags).map(([flag, known]) => `    '${path} --${flag}') words='${known.join(' ')}' ;;`),
  );
  return `_giftcard_sandbox() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command='' words='' word
  [[ $previous == = ]] && previous="\${COMP_WORDS[COMP_CWORD-2]}"
  [[ $current == = ]] && current=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command $word" in
      ${commands.join(' | ')}) command="$command $word" ;;
    esac
  done
  case "$command $previous" in
${values.join('\n')}
    *)
      case "$command" in
${words.join('\n')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _giftcard_sandbox giftcard-sandbox
`;
}

/** The script of bash, which zsh can run. */
const zsh = (all: readonly Completed[]): string => `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
autoload -Uz bashcompinit && bashcompinit
${bash(all)}`;

function fish(all: readonly Completed[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const lines = all.flatMap(({ path, definition: { commands = [], known = [], flags = {} } }) => {
    const inner = commands.map(wordOf);
    const seen = path
      .split(' ')
      .slice(1)
      .map((word) => `__fish_seen_subcommand_from ${word}`);
    const conditions = [...seen, ...(inner.length > 0 ? [`not __fish_seen_subcommand_from ${inner.join(' ')}`] : [])];
    const line = (rest: string, help: string) =>
      `complete -c giftcard-sandbox -n ${quoted(conditions.join('; and '))} ${rest} -d ${quoted(help)}`;
    return [
      ...commands.map((each) => line(`-a ${wordOf(each)}`, each.summary)),
      ...known.map((each) => line(`-a ${each}`, '')),
      ...Object.entries(flags).map(([flag, { placeholder, known: values, help }]) => {
        const value = placeholder === undefined ? '' : values ? ` -x -a ${quoted(values.join(' '))}` : ' -r -F';
        return line(`-l ${flag}${value}`, help);
      }),
    ];
  });
  return `complete -c giftcard-sandbox -f\n${lines.join('\n')}\n`;
}

function powershell(all: readonly Completed[]): string {
  const row = (key: string, words: readonly string[]) => `    '${key}' = @(${words.map((word) => `'${word}'`).join(', ')})`;
  const rows = all.flatMap(({ path, definition }) => [
    row(path, wordsOf(definition)),
    ...valuesOf(definition.flags).map(([flag, known]) => row(`${path} --${flag}`, known)),
  ]);
  return `Register-ArgumentCompleter -Native -CommandName giftcard-sandbox -ScriptBlock {
  param($current, $ast, $position)
  $words = @{
${rows.join('\n')}
  }
  $command = ''; $previous = ''
  foreach ($element in $ast.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.EndOffset -ge $position) { break }
    $previous = "$element"
    if ($previous -notlike '-*' -and $words.ContainsKey("$command $previous")) { $command = "$command $previous" }
  }
  $key = if ($words.ContainsKey("$command $previous")) { "$command $previous" } else { $command }
  $words[$key] | Where-Object { $_ -like "$current*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

const scripts = { bash, zsh, fish, powershell };
