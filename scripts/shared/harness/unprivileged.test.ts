import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';

const isRoot = process.getuid?.() === 0;

/** Options of a child process: PostgreSQL refuses to run as root, so root runs it as the user of Debian's package. */
export function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  return isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
}

/** Makes the user of `unprivileged` the owner of a file or folder. */
export function giveToUnprivileged(path: string): void {
  const { uid, gid } = unprivileged();
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}
