import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Makes a folder and those that it stands in, each once: where one is refused as missing, as below /proc, Node's own way tries without an end. */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const each of missing.length > 0 ? missing : [path]) {
    try {
      mkdirSync(each, { mode });
    } catch (error) {
      // It was there, or somebody else has made it meanwhile.
      if (!statSync(each, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
}
