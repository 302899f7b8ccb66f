import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { checks } from '../clause.ts';
import { type Asked, type Command, selected, selecting } from '../command-line.ts';
import { preflight, webhooksPresent } from '../preflight.ts';
import { jsonReport } from '../report/json.ts';
import { textReport } from '../report/text.ts';
import { exitCode, type RunResult } from '../result.ts';
import { runClauses } from '../run.ts';
import { webhooksTold } from '../safety/gate.ts';
import type { LedgerFile } from '../safety/ledger-file.ts';
import { leftoversIn } from '../safety/leftovers.ts';
import { openSession, type Session } from '../session.ts';
import { UsageError } from '../target.ts';
import { agreed, interruptible, toldWaiting } from './asking.ts';
import { listing } from './list.ts';
import { swept } from './sweep.ts';
import { ledgerOf, limiting, limitsOf, targeting, targetOf } from './targeting.ts';

export const run: Command = { takes: [...targeting, ...limiting, ...selecting, 'reporter', 'out', 'list'], run: judge };

async function judge(asked: Asked): Promise<number> {
  const { flags, io } = asked;
  if (flags.list) return listing(asked);
  const names = selected(asked);
  const reporter = flags.reporter ?? 'text';
  if (reporter !== 'text' && reporter !== 'json')
    throw new UsageError(`Unknown reporter "${reporter}". Known are text and json.`);
  const target = targetOf(asked);
  const policy = limitsOf(asked, target.url);
  const file = ledgerOf(asked);
  await agreed(asked, target.url, policy);
  const session = openSession(target, toldWaiting(io), policy);
  const { signal, done } = interruptible(io);
  try {
    const { left, trouble } = await prepared(asked, file, session);
    if (trouble !== undefined) {
      io.stderr.write(`${trouble}\n`);
      return left > 0 ? 5 : 3;
    }
    const suite = `giftcard-sandbox ${packageFile.version}`;
    const result = await runClauses({ target, names, checks: checks(), suite, session, ledger: file, signal });
    tell(asked, result, reporter);
    return left > 0 ? 5 : exitCode(result);
  } finally {
    done();
    await session.client.close();
    file.close();
  }
}

/** Takes away first what an earlier run has left, and looks whether the target can be judged; answers with how much is left, and with the trouble. */
async function prepared(asked: Asked, file: LedgerFile, session: Session): Promise<{ left: number; trouble?: string }> {
  const { policy } = session.gate;
  const leftovers = await leftoversIn(file, session.target.profile);
  const found = leftovers.entries.length;
  if (found > 0 && policy.mode === 'read-only')
    asked.io.stderr.write(`Earlier runs have left ${found} cards or webhooks, and a read-only run takes none away: see sweep.\n`);
  const left = found === 0 ? 0 : policy.mode === 'read-only' ? found : await swept(asked, file, leftovers, session);
  const trouble = await preflight(session);
  if (trouble !== undefined) return { left, trouble };
  if (policy.mode === 'safe') {
    session.gate.webhooksPresent = await webhooksPresent(session);
    if (session.gate.webhooksPresent !== 0 && !policy.allow.has('webhooks'))
      asked.io.stderr.write(
        `Nothing is created: ${webhooksTold(session.gate.webhooksPresent)}, and each is told of every card that is voided. --allow webhooks lets it.\n`,
      );
  }
  return { left };
}

function tell({ flags, io }: Asked, result: RunResult, reporter: 'text' | 'json'): void {
  const text = textReport(result, (name) => `giftcard-sandbox conformance run --target ${result.target} ${name}`);
  if (flags.out !== undefined) {
    mkdirSync(flags.out, { recursive: true });
    writeFileSync(join(flags.out, 'results.json'), jsonReport(result));
    writeFileSync(join(flags.out, 'report.txt'), text);
  }
  io.stdout.write(reporter === 'json' ? jsonReport(result) : text);
}
