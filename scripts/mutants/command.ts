import { checks } from '../../conformance/core/clause.ts';
import { clauseTexts, levelOf } from '../../conformance/core/contract.ts';
import { excerpt } from '../../conformance/http/excerpt.ts';
import { bySection } from '../../conformance/report/sections.ts';
import { silent } from '../../mock/server/log.ts';
import { start } from '../../mock/server/start.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { didYouMean } from '../../openapi/input/closest.ts';
import type { Mutant } from './mutants.ts';
import { type MutantResult, MutantRunner } from './runner.ts';

export interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Resolves when the process is asked to end. */
  readonly ended: Promise<unknown>;
}

export const help = `npm run test:mutation: breaks the mock on purpose. The test of the violated clause must report it.

  npm run test:mutation [-- NAME …]              runs all mutants, or some; a clause's name means all of its mutants
  npm run test:mutation -- list [NAME …]         their names
  npm run test:mutation -- serve NAME [PORT]     a mock with that mutant over a socket; Ctrl-C ends it

Exit: 0 all are killed · 1 one survives, or a stated clause with a test has none · 2 usage
`;

/** Most of a mutant's time is spent waiting for deliveries that come or do not. */
const AT_A_TIME = 8;

/** Runs the command and resolves with its exit code. */
export async function mutantsCommand(argv: readonly string[], all: readonly Mutant[], io: Io): Promise<number> {
  const [command, ...words] = argv;
  const isCommand = command === 'list' || command === 'serve';
  const names = command === 'serve' ? words.slice(0, 1) : isCommand ? words : argv;
  if (names.some((name) => name === '--help' || name === '-h')) return print(io, help);
  const selected = all.filter(({ name, clause }) => names.length === 0 || names.includes(name) || names.includes(clause));
  const known = all.flatMap(({ name, clause }) => [name, clause]);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    io.stderr.write(
      `No mutant is named ${unknown}.${didYouMean(unknown, known) || ' "npm run test:mutation -- list" prints the names.'}\n`,
    );
    return 2;
  }
  if (command === 'list') return print(io, `${selected.map(({ name }) => name).join('\n')}\n`);
  if (command === 'serve') return serve(names.length === 0 ? [] : selected, words[1], io);
  return runAll(selected, selected.length === all.length ? withoutMutant(all) : [], io);
}

async function runAll(selected: readonly Mutant[], uncovered: readonly ClauseName[], io: Io): Promise<number> {
  const started = performance.now();
  const runner = new MutantRunner();
  const results = new Map<Mutant, MutantResult>();
  const waiting = [...selected];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results.set(next, await runner.run(next));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  const inOrder = selected.map((mutant) => results.get(mutant) as MutantResult);
  print(io, `${scoreOf(inOrder, uncovered)}${((performance.now() - started) / 1_000).toFixed(0)} s\n`);
  return inOrder.every(({ isKilled }) => isKilled) && uncovered.length === 0 ? 0 : 1;
}

async function serve(selected: readonly Mutant[], port: string | undefined, io: Io): Promise<number> {
  const [mutant, ...others] = selected;
  if (!mutant || others.length > 0) {
    io.stderr.write(`Name one mutant to serve${mutant ? `: ${selected.map(({ name }) => name).join(', ')}` : ''}.\n`);
    return 2;
  }
  const { options, ...seams } = mutant.make();
  const mock = await start({ port: Number(port ?? 0), ...options }, silent, seams);
  print(io, `${mock.url}\nx-api-key: ${mock.apiKey}\nThis mock violates ${mutant.clause} (${mutant.name}).\n`);
  await io.ended;
  await mock.close();
  return 0;
}

/** Stated clauses that have a test and no mutant: nothing shows that their tests can fail. */
export function withoutMutant(all: readonly Mutant[]): ClauseName[] {
  const covered = new Set(all.map(({ clause }) => clause));
  return checks().flatMap(({ name }) => (clauseTexts.get(name)?.level === 'stated' && !covered.has(name) ? [name] : []));
}

/** The counts by section, each survivor with the reason, and the score. */
export function scoreOf(results: readonly MutantResult[], uncovered: readonly ClauseName[]): string {
  const killed = results.filter(({ isKilled }) => isKilled).length;
  const clauses = new Set(results.map(({ mutant }) => mutant.clause));
  const robustness = [...clauses].filter((name) => levelOf(name) === 'robustness').length;
  return [
    ...sections(results),
    '',
    ...results.flatMap(({ mutant, isKilled, why }) =>
      isKilled ? [] : [`SURVIVED  ${mutant.name}`, `  ${excerpt(why, 600)}`, ''],
    ),
    ...uncovered.map((name) => `NO MUTANT  ${name}`),
    `${killed} of ${results.length} mutants killed by their own clause's test: ${clauses.size - robustness} stated clauses, ${robustness} of robustness`,
    '',
  ].join('\n');
}

function sections(results: readonly MutantResult[]): string[] {
  const found = bySection(results.map((each) => ({ from: clauseTexts.get(each.mutant.clause)?.from ?? [], each })));
  const rows = found.map(({ heading, clauses }) => {
    const killed = clauses.filter(({ each }) => each.isKilled).length;
    return [heading, String(new Set(clauses.map(({ each }) => each.mutant.clause)).size), `${killed} of ${clauses.length}`];
  });
  return [['Section', 'clauses', 'killed'], ...rows].map(
    ([heading = '', clauses = '', killed = '']) => `${heading.padEnd(32)}${clauses.padStart(8)}${killed.padStart(12)}`,
  );
}

function print({ stdout }: Io, text: string): number {
  stdout.write(text);
  return 0;
}
