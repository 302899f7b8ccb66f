import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { varied } from '../../mock/variant/vary.ts';
import { leastFor, leastForLeftovers } from './explain.ts';
import { differing, isTelling, type Judged, judge, statedWithTest } from './judge.ts';

/**
 * npm run test:variants [-- --seeds 1-100]: whatever a deployment answers where the specification is silent, the suite finds no fault with it, leaves nothing
 * behind, and still judges what is stated. Each seed is one such deployment, of the mock.
 */

/** Most of a run is waiting for deliveries, so that several go on at once. */
const AT_ONCE = 4;

interface Told {
  readonly seed: number;
  readonly lines: readonly string[];
  readonly passed: number;
  readonly of: number;
  readonly silent: readonly string[];
}

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1-100' }, worker: { type: 'boolean', default: false } },
});
const [from = 1, to = from] = values.seeds.split('-').map(Number);
if (!(Number.isInteger(from) && Number.isInteger(to) && from <= to)) {
  process.stderr.write(`--seeds is a number or two with a dash between, such as 1-100, not "${values.seeds}".\n`);
  process.exit(2);
}
const seeds = Array.from({ length: to - from + 1 }, (_, index) => from + index);
if (values.worker) await work();
else process.exitCode = await lead();

/** Takes seeds from whoever leads until there are no more. */
async function work(): Promise<void> {
  process.on('message', (seed: number) => void told(seed).then((what) => process.send?.(what)));
  process.send?.('ready');
}

async function told(seed: number): Promise<Told> {
  const { behaviors, overrides } = varied(seed);
  const variation = differing(behaviors);
  const judged = await judge(variation, undefined, overrides);
  const lines = judged.reds.map(
    ({ name, verdict, detail, expected, got }) => `${verdict} ${name}: ${detail ?? `expected ${expected}; got ${got}`}`,
  );
  for (const { name } of judged.reds.slice(0, 3))
    lines.push(`  ${name} is red with: ${(await leastFor(name, variation)).join(', ') || 'nothing varied'}`);
  if (judged.left.length > 0)
    lines.push(`left behind: ${judged.left.join(', ')}`, `  with: ${(await leastForLeftovers(variation)).join(', ')}`);
  const of = statedWithTest(judged);
  if (!isTelling(judged)) lines.push(`only ${judged.passed.length} of ${of} stated clauses hold`);
  return { seed, lines, passed: judged.passed.length, of, silent: judged.silent.map(reasonOf) };
}

const reasonOf = ({ name, reason, detail }: Judged['silent'][number]) => `${name}: ${reason ?? 'blocked'}, ${detail}`;

async function lead(): Promise<number> {
  const started = performance.now();
  const workers = Math.min(seeds.length, availableParallelism());
  const waiting = [...seeds];
  const first = (await Promise.all(Array.from({ length: workers }, () => follow(waiting, AT_ONCE)))).flat();
  const doubtful = first.filter(({ lines }) => lines.length > 0).map(({ seed }) => seed);
  // Beside others, on a busy machine, a delivery may have run out of time: what is red by itself, too, is red.
  const again = doubtful.length > 0 ? await follow([...doubtful], 1) : [];
  const found = [...first.filter(({ seed }) => !doubtful.includes(seed)), ...again];
  const faulty = found.filter(({ lines }) => lines.length > 0);
  for (const { seed, lines } of faulty) say(`seed ${seed}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  if (again.length > faulty.length) say(`judged again by themselves, and then without a fault: ${again.length - faulty.length}`);
  const silent = new Map<string, number[]>();
  for (const each of found) for (const what of each.silent) silent.set(what, [...(silent.get(what) ?? []), each.seed]);
  for (const [what, where] of [...silent].sort())
    say(`untested under ${where.length} of ${found.length} seeds (${where[0]}): ${what}`);
  const [least] = found.toSorted((one, other) => one.passed - other.passed);
  say(
    `varied: seeds ${values.seeds}, ${faulty.length} with a fault, ${least?.passed} to ${Math.max(...found.map(({ passed }) => passed))} of ${least?.of} stated clauses hold, ${Math.round((performance.now() - started) / 1_000)} s`,
  );
  return faulty.length > 0 ? 1 : 0;
}

/** A process that judges one waiting seed after another, some at a time, until none is left. */
function follow(waiting: number[], atOnce: number): Promise<Told[]> {
  return new Promise((resolve, reject) => {
    const found: Told[] = [];
    const child = fork(fileURLToPath(import.meta.url), ['--worker'], { execArgv: process.execArgv });
    let busy = 0;
    const next = () => {
      const seed = waiting.shift();
      if (seed !== undefined) {
        busy += 1;
        child.send(seed);
      } else if (busy === 0 && child.connected) child.disconnect();
    };
    child.on('message', (message: Told | 'ready') => {
      if (message === 'ready') for (let each = 0; each < atOnce; each += 1) next();
      else {
        busy -= 1;
        found.push(message);
        next();
      }
    });
    child.on('exit', (code) => (code === 0 ? resolve(found) : reject(new Error(`A worker ended with ${code}.`))));
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
