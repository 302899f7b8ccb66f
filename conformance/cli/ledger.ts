import { pending } from '../safety/entries.ts';
import { describeDamage, describeEntry } from '../safety/leftovers.ts';
import { type Command, noWords, say } from './command-line.ts';
import { forget } from './forget.ts';
import { ledgerOf } from './targeting.ts';

/** Shows what runs have left, with the codes, because somebody may have to void them by hand, and forgets what somebody says to be gone. Sends nothing. */
export const ledger: Command = {
  takes: ['target', 'ledger', 'forget'],
  async run(asked) {
    noWords(asked, 'ledger');
    const { flags } = asked;
    const file = ledgerOf(asked);
    if (flags.forget !== undefined) await forget(file, flags.forget, (sentence) => say(asked.io, `${sentence}\n`));
    const { ended, living, otherTargets } = await file.sorted();
    const lines = [
      ...ended.map((run) => ({ ...run, now: '' })),
      ...living.map((run) => ({ ...run, now: ', still under way' })),
    ].flatMap(({ run, began, entries, now }) => {
      const open = entries.filter(pending);
      if (open.length === 0) return [];
      const shown = open.map(
        (entry) =>
          `  ${entry.state.padEnd(8)} ${describeEntry(entry)}${entry.account === 'key' ? '' : ` on the account of ${entry.account}`}`,
      );
      return [`Run ${run}, begun at ${began}${now}`, ...shown];
    });
    const others = otherTargets.filter(({ entries }) => entries.some(pending)).map(({ target }) => target);
    if (others.length > 0) lines.push(`The file tells of other targets, too: ${[...new Set(others)].join(', ')}`);
    lines.push(...describeDamage(file.damage()));
    say(asked.io, lines.length > 0 ? `${lines.join('\n')}\n` : `Nothing is left, says ${file.path}.\n`);
    return file.damage().length > 0 || ended.some(({ entries }) => entries.some(pending)) ? 5 : 0;
  },
};
