import type { Io } from './io.ts';
import { type CommandDefinition, wordOf } from './run-command.ts';

/** Returns the command that prints a completion script. `load` returns the definition of the whole program. */
export function completionCommand(io: Io, load: () => Promise<CommandDefinition>): CommandDefinition {
  return {
    usage: 'completion <shell>',
    summary: 'Prints a script that completes commands, flags and values in your shell',
    known: Object.keys(scripts),
    notes: `Shells: ${Object.keys(scripts).join(', ')}. The program must be on PATH, such as after npm install --global. Add the line to a start-up file, such as ~/.bashrc or ~/.zshrc.\nExit codes: 0 printed; 2 the shell is missing or unknown.`,
    examples: [
      'source <(giftcard-sandbox completion bash)',
      'source <(giftcard-sandbox completion zsh)',
      'giftcard-sandbox completion fish | source',
    ],
    run: async (_, [shell = '']) => {
      io.stdout.write(scripts[shell as keyof typeof scripts](await load()));
      return 0;
    },
  };
}

/**
 * Returns a line for each command and each flag with a value: its key, and the words that can follow. The key of the program is empty, of others
 * " mock" or " mock --port". If there are no words, the shell completes names of files.
 */
function linesOf({ commands = [], known = [], flags = {} }: CommandDefinition, path = ''): string {
  const line = (key: string, words: readonly string[]) => `    '${key}') echo '${words.join(' ')}' ;;`;
  const ofFlags = Object.entries(flags).filter(([, { placeholder }]) => placeholder !== undefined);
  return [
    line(path, [...commands.map(wordOf), ...known, ...Object.keys(flags).map((flag) => `--${flag}`), '--help']),
    ...ofFlags.map(([flag, { known = [] }]) => line(`${path} --${flag}`, known)),
    ...commands.map((inner) => linesOf(inner, `${path} ${wordOf(inner)}`)),
  ].join('\n');
}

const bash = (program: CommandDefinition): string => `_giftcard_sandbox_words() {
  case "$1" in
${linesOf(program)}
    *) return 1 ;;
  esac
}
_giftcard_sandbox() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command='' word i
  [[ $previous == = ]] && previous="\${COMP_WORDS[COMP_CWORD-2]}"
  [[ $current == = ]] && current=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    [[ $word != -* ]] && _giftcard_sandbox_words "$command $word" >/dev/null && command="$command $word"
  done
  COMPREPLY=($(compgen -W "$(_giftcard_sandbox_words "$command $previous" || _giftcard_sandbox_words "$command")" -- "$current"))
}
complete -o default -F _giftcard_sandbox giftcard-sandbox
`;

const zsh = (program: CommandDefinition): string => `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
autoload -Uz bashcompinit && bashcompinit
${bash(program)}`;

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;

function fish(program: CommandDefinition, path: readonly string[] = []): string {
  const { usage, commands = [], known = [], flags = {} } = program;
  const inner = commands.map(wordOf);
  const conditions = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  if (inner.length > 0) conditions.push(`not __fish_seen_subcommand_from ${inner.join(' ')}`);
  const line = (rest: string) => `complete -c giftcard-sandbox -n ${quoted(conditions.join('; and '))} ${rest}\n`;
  const lines = [
    ...(usage.includes(' <') && known.length === 0 ? [] : [line('-f')]),
    ...commands.map((each) => line(`-a ${wordOf(each)} -d ${quoted(each.summary)}`)),
    ...known.map((each) => line(`-a ${each}`)),
    ...Object.entries(flags).map(([flag, { placeholder, known: values, help }]) => {
      const value = placeholder === undefined ? '' : values ? `-x -a ${quoted(values.join(' '))} ` : '-r -F ';
      return line(`-l ${flag} ${value}-d ${quoted(help)}`);
    }),
    ...commands.map((each) => fish(each, [...path, wordOf(each)])),
  ];
  return lines.join('');
}

const scripts = { bash, zsh, fish };
