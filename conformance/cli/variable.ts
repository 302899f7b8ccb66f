import { UsageError } from '../../command-line/usage-error.ts';

/** Throws UsageError for what no environment variable is called. */
export function checkVariable(name: string, flag: string, example: string): void {
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new UsageError(`${flag} "${name}" is no name of an environment variable. Give one such as ${example}.`);
}

/** Of what no header can carry, whatever sends it would tell the text. */
export const fitsHeader = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
