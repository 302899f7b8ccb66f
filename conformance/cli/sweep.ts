import { counted } from '../core/counted.ts';
import { openSession, type Session } from '../core/session.ts';
import { realTime } from '../http/rate.ts';
import { pending } from '../safety/entries.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import { describeDamage, describeEntry, type Leftovers, leftoversIn, reasonOf, sweepLeftovers } from '../safety/leftovers.ts';
import { toldWaiting } from './asking.ts';
import { type Asked, type Command, noWords } from './command-line.ts';
import { forgetTold } from './left-told.ts';
import { progress } from './progress.ts';
import { ledgerOf, targetOf } from './targeting.ts';

/** Voids and deletes what runs that ended have left on the target. */
export const sweep: Command = {
  takes: ['target', 'key-env', 'profile', 'rate', 'ledger'],
  async run(asked) {
    noWords(asked, 'sweep');
    const target = targetOf(asked);
    const file = ledgerOf(asked);
    file.ready();
    const session = openSession(target, toldWaiting(progress([], asked.io.stderr, realTime.now).waits));
    try {
      const leftovers = await leftoversIn(file, target);
      const damage = describeDamage(file.damage());
      for (const sentence of damage) asked.io.stderr.write(`${sentence}\n`);
      const left = await swept(asked, file, leftovers, session);
      if (leftovers.entries.length === 0)
        asked.io.stderr.write(
          damage.length > 0 ? 'Of what can be read, nothing is left.\n' : 'No earlier run has left anything.\n',
        );
      return left + damage.length > 0 ? 5 : 0;
    } finally {
      await session.client.close();
      file.close();
    }
  },
};

/** Sweeps, says what came of it, and resolves with how much could not be proven gone. */
export async function swept({ io, flags }: Asked, file: LedgerFolder, leftovers: Leftovers, session: Session): Promise<number> {
  const { entries, living } = leftovers;
  for (const { run, began } of living)
    io.stderr.write(`Run ${run}, begun at ${began}, is still under way; what it made is left to it.\n`);
  if (entries.length === 0) return 0;
  await sweepLeftovers(file, leftovers, session.client, session.names);
  const left = entries.filter(pending);
  io.stderr.write(
    `Of ${counted(entries.length, 'leftover')} of earlier runs, ${counted(entries.length - left.length, 'is', 'are')} gone.\n`,
  );
  for (const entry of left) io.stderr.write(`LEFT BEHIND  ${describeEntry(entry)} (${reasonOf(entry, session.target)})\n`);
  const open = leftovers.runs.filter((run) => run.entries.some(pending));
  io.stderr.write(
    forgetTold(
      flags,
      session.target.url,
      open.map(({ run }) => run),
    ),
  );
  return left.length;
}
