import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { checks } from '../clause.ts';
import { realTime, type Waiting } from '../client.ts';
import { type Asked, type Command, type Io, selected, selecting } from '../command-line.ts';
import { preflight } from '../preflight.ts';
import { jsonReport } from '../report/json.ts';
import { textReport } from '../report/text.ts';
import { exitCode } from '../result.ts';
import { runClauses } from '../run.ts';
import { UsageError } from '../target.ts';
import { listing } from './list.ts';
import { targeting, targetOf } from './targeting.ts';

export const run: Command = { takes: [...targeting, ...selecting, 'reporter', 'out', 'list'], run: judge };

async function judge(asked: Asked): Promise<number> {
  const { flags, io } = asked;
  if (flags.list) return listing(asked);
  const names = selected(asked);
  const reporter = flags.reporter ?? 'text';
  if (reporter !== 'text' && reporter !== 'json')
    throw new UsageError(`Unknown reporter "${reporter}". Known are text and json.`);
  const target = targetOf(asked);
  const time = toldWaiting(io);
  const trouble = await preflight(target, time);
  if (trouble !== undefined) {
    io.stderr.write(`${trouble}\n`);
    return 3;
  }
  const result = await runClauses({ target, names, checks: checks(), time, suite: `giftcard-sandbox ${packageFile.version}` });
  const text = textReport(result, (name) => `giftcard-sandbox conformance run --target ${target.url} ${name}`);
  if (flags.out !== undefined) {
    mkdirSync(flags.out, { recursive: true });
    writeFileSync(join(flags.out, 'results.json'), jsonReport(result));
    writeFileSync(join(flags.out, 'report.txt'), text);
  }
  io.stdout.write(reporter === 'json' ? jsonReport(result) : text);
  return exitCode(result);
}

/** Nobody should wonder why nothing happens for half a minute. */
function toldWaiting(io: Io): Waiting {
  const sleep = (ms: number) => {
    if (ms >= 4_000) io.stderr.write(`The rate limit is reached; going on in ${Math.ceil(ms / 1_000)} s.\n`);
    return realTime.sleep(ms);
  };
  return { now: realTime.now, sleep };
}
