import { mkdtempSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LedgerFolder, type StoredRun } from './ledger-folder.ts';

/** A ledger that also keeps every line in memory, because the file of a clean run is deleted at its end. */
export function recordingLedger(path: string, target: string): { ledgers: LedgerFolder; runs(): StoredRun[] } {
  const written: Buffer[] = [];
  const put = (handle: number, bytes: Uint8Array, from: number) => {
    const count = writeSync(handle, bytes, from);
    written.push(Buffer.from(bytes.subarray(from, from + count)));
    return count;
  };
  const runs = () => {
    const copy = mkdtempSync(join(tmpdir(), 'recorded-ledger-'));
    writeFileSync(join(copy, 'run.jsonl'), Buffer.concat(written));
    const found = new LedgerFolder(copy, target).runs();
    rmSync(copy, { recursive: true });
    return found;
  };
  return { ledgers: new LedgerFolder(path, target, { put }), runs };
}
