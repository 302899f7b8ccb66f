import { existsSync } from 'node:fs';
import { UsageError } from '../../command-line/usage-error.ts';
import { called } from '../core/cli-name.ts';
import { shellWord } from '../report/escape.ts';
import type { FlagName } from './flag-table.ts';

/** Throws UsageError for a URL or a file in the place of a word that is neither, with the flag or the command that takes it. */
export function refuseMisplaced(name: string, takes: readonly FlagName[], words: readonly string[]): void {
  const urls = words.filter((word) => /^https?:\/\//i.test(word));
  const [one = 'URL', other = 'URL'] = urls.map(shown);
  const comparing = `${called} compare --a ${one} --b ${other}`;
  if (urls.length > 0) {
    if (takes.includes('a')) throw new UsageError(`${name} takes its two targets as flags: ${comparing}`);
    if (takes.includes('target')) throw new UsageError(`${name} takes its target as a flag: ${called} ${name} --target ${one}`);
    if (name === 'diff' || name === 'report')
      throw new UsageError(`${name} takes result files, and ${one} is a URL. Two services are compared with: ${comparing}`);
  }
  const files = words.filter((word) => /\.json$/i.test(word) || (word.includes('/') && existsSync(word)));
  if (takes.includes('a') && files.length > 0)
    throw new UsageError(
      `${name} takes two targets, with --a URL --b URL. Result files that are there already are held beside each other with: ${called} diff ${files.map(shellWord).join(' ')}`,
    );
}

/** A password in it is nobody's business. */
const shown = (url: string): string => (/\/\/[^/]*@/.test(url) ? 'URL' : shellWord(url));
