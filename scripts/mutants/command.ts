import { parseArgs } from 'node:util';
import { excerpt } from '../../conformance/http/excerpt.ts';
import { chosen, theOne, UnknownMutant } from './choose.ts';
import { Judge } from './judge.ts';
import { inLanes } from './lanes.ts';
import type { NamedMutant } from './mutant.ts';
import { overKillOf, overKillsTold, together } from './over-kills.ts';
import { isPerfect, scoreTold, unwatched } from './score.ts';
import { Stale, Workshop } from './workshop.ts';

export interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
}

export const help = `npm run mutants: breaks the mock on purpose, and looks whether the test of the clause that it then violates notices.

  npm run mutants [-- NAME … | --file mock/…]   judges all, or some; a clause's name stands for all of its mutants
  npm run mutants -- --all [NAME …]             which other clauses fail under each; the whole suite for each, so name a few
  npm run mutants -- list [NAME …]              their names, and what each puts where
  npm run mutants -- serve NAME [FLAGS]         a mock with that mutant over a socket, with the flags of "giftcard-sandbox mock"; Ctrl-C ends it

Exit: 0 all are noticed · 1 one survives or is stale, or a statement with a test has none · 2 usage
`;

/** Runs the command and resolves with its exit code. */
export async function mutantsCommand(argv: readonly string[], all: readonly NamedMutant[], io: Io): Promise<number> {
  try {
    if (argv[0] === 'serve') return await serve(theOne(all, argv.slice(1, 2)), argv.slice(2), io);
    const { flags, words } = read(argv);
    if (flags.help) return say(io, help);
    const [command, ...names] = words;
    if (command === 'list') return say(io, listTold(chosen(all, names, flags.file)));
    const wanted = chosen(all, words, flags.file);
    return flags.all ? await overKills(wanted, io) : await judged(wanted, wanted.length === all.length, all, io);
  } catch (error) {
    if (!(error instanceof UnknownMutant)) throw error;
    io.stderr.write(`${error.message}\n`);
    return 2;
  }
}

function read(argv: readonly string[]) {
  try {
    const options = { all: { type: 'boolean' }, file: { type: 'string' }, help: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    return { flags: values, words: positionals };
  } catch (error) {
    throw new UnknownMutant(`${(error as Error).message.split('. ', 1)[0]}. See npm run mutants -- --help.`);
  }
}

async function judged(wanted: readonly NamedMutant[], isAll: boolean, all: readonly NamedMutant[], io: Io): Promise<number> {
  const start = performance.now();
  const judge = new Judge(wanted);
  const shown = counter(wanted.length, io);
  const judgements = await inLanes(
    wanted,
    (mutant) => judge.judge(mutant),
    ({ outcome }) => shown.next(outcome !== 'noticed'),
  ).finally(() => judge.close());
  shown.end();
  const missing = isAll ? unwatched(all) : [];
  say(io, scoreTold(judgements, missing));
  say(io, `${seconds(start)} s\n`);
  return isPerfect(judgements, missing) ? 0 : 1;
}

async function overKills(wanted: readonly NamedMutant[], io: Io): Promise<number> {
  const judge = new Judge(wanted);
  try {
    const start = performance.now();
    const asItIs = await judge.run(together());
    const wrong = asItIs.filter(({ verdict }) => verdict === 'fail');
    for (const { name, got } of wrong) say(io, `Without any mutant, ${name} fails: ${excerpt(got ?? '', 200)}\n`);
    const one = (performance.now() - start) / 60_000;
    // Several wait at a time, so that all together take less than one after another.
    io.stderr.write(`The whole suite for each of ${wanted.length}: about ${Math.ceil((one * wanted.length) / 2)} minutes.\n`);
    const shown = counter(wanted.length, io);
    const found = await inLanes(
      wanted,
      (mutant) => overKillOf(judge, mutant),
      () => shown.next(false),
    );
    shown.end();
    say(io, `${overKillsTold(found)}${seconds(start)} s\n`);
    return wrong.length > 0 ? 1 : 0;
  } finally {
    await judge.close();
  }
}

async function serve(mutant: NamedMutant, flags: readonly string[], io: Io): Promise<number> {
  const workshop = new Workshop([mutant]);
  try {
    const { main } = await workshop.made(mutant);
    await workshop.close();
    io.stderr.write(`This mock violates ${mutant.clause}, by ${mutant.name} in ${mutant.file}.\n`);
    return await main(flags, {}, { stdout: io.stdout, stderr: io.stderr } as Parameters<typeof main>[2]);
  } catch (error) {
    await workshop.close();
    if (!(error instanceof Stale)) throw error;
    io.stderr.write(`${mutant.name} is stale: ${error.message}.\n`);
    return 1;
  }
}

function listTold(mutants: readonly NamedMutant[]): string {
  const lines = mutants.map(({ name, file, replace }) => `${name}\n    ${file}: ${excerpt(replace, 120)}`);
  return `${lines.join('\n')}\n`;
}

/** On a terminal, how far it is; elsewhere nothing. */
function counter(all: number, { stderr }: Io) {
  let [done, wrong] = [0, 0];
  const show = (text: string) => stderr.isTTY && stderr.write(`\r\x1b[2K${text}`);
  return {
    next(isWrong: boolean) {
      done += 1;
      if (isWrong) wrong += 1;
      show(`${done} of ${all} mutants${wrong > 0 ? `, ${wrong} not noticed` : ''}`);
    },
    end: () => show(''),
  };
}

const seconds = (start: number) => ((performance.now() - start) / 1_000).toFixed(0);

function say({ stdout }: Io, text: string): number {
  stdout.write(text);
  return 0;
}
