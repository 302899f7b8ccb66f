import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import '../bundle.ts';
import { prepare, rows } from './requests.ts';
import { mockServer, type Server } from './server.ts';
import { table, word } from './table.ts';
import { load, type Request, wrkMissing } from './wrk.ts';

const SECONDS = 300;
const SHORTEST = 30;
/** The reads take turns, so many in all; the adjustments come behind them, and their first turn only makes ready. */
const TURNS = 12;
const ADJUSTMENT_TURNS = 4;
const SHARE_OF_READS = 0.7;
/** Of what it was at most before. */
const GROWTH_LIMIT = 1.1;
/** An adjustment stays for ever, with its unique value; in bytes. */
const ADJUSTMENT_LIMIT = 1_000;
const MEGABYTE = 1024 * 1024;

/** Reads and adjustments at full rate with a full journal: reads leave the memory as it is, and of an adjustment no more stays than its record. */
async function memory(seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-memory-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const server = await mockServer(join(dirname(fileURLToPath(import.meta.url)), '../..'));
  if (server.memory() === undefined) throw new Error('This system does not tell how much memory a process has (Linux does).');
  const prepared = await prepare(server);
  const reads = rows.filter(({ name }) => name !== 'Create').map((row) => row.request(prepared));

  const turn = (seconds * SHARE_OF_READS) / TURNS;
  const peaks: number[] = [];
  let read = 0;
  for (let number = 0; number < TURNS; number++) {
    const { answered, peak } = await watched(server, reads[number % reads.length] as Request, turn, folder);
    read += answered;
    peaks.push(peak);
  }
  const half = TURNS / 2;
  const [before, after] = [Math.max(...peaks.slice(0, half)), Math.max(...peaks.slice(half))];

  const adjustment = (turn: number): Request => ({
    method: 'POST',
    target: '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode',
    headers: prepared.headers,
    body: JSON.stringify({
      giftCardCode: prepared.code,
      adjustmentAmount: 0.01,
      actionedAtUtc: '2026-01-01T00:00:00Z',
      uniqueAdjustmentId: `bench-${turn}-{n}`,
    }),
  });
  const length = (seconds * (1 - SHARE_OF_READS)) / ADJUSTMENT_TURNS;
  const first = await watched(server, adjustment(0), length, folder);
  let end = first.peak;
  let adjusted = 0;
  for (let number = 1; number < ADJUSTMENT_TURNS; number++) {
    const { answered, peak } = await watched(server, adjustment(number), length, folder);
    adjusted += answered;
    end = peak;
  }
  const each = (end - first.peak) / adjusted;
  await server.stop();

  const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(0);
  process.stdout.write(
    table([
      ['at most, MB', 'how many', 'before', 'after', '', 'limit', ''],
      [
        'reads',
        String(read),
        megabytes(before),
        megabytes(after),
        `${(after / before).toFixed(2)} times`,
        `<= ${GROWTH_LIMIT}`,
        word(after <= GROWTH_LIMIT * before),
      ],
      [
        'adjustments',
        String(adjusted),
        megabytes(first.peak),
        megabytes(end),
        `${each.toFixed(0)} bytes each`,
        `<= ${ADJUSTMENT_LIMIT}`,
        word(each <= ADJUSTMENT_LIMIT),
      ],
    ]),
  );
}

/** So many seconds of a request, with the most memory that the server had meanwhile. */
async function watched(
  server: Server,
  request: Request,
  seconds: number,
  folder: string,
): Promise<{ answered: number; peak: number }> {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, server.memory() ?? 0);
  };
  const timer = setInterval(look, 100);
  const { answered } = await load(server, request, Math.max(1, Math.round(seconds)), folder);
  clearInterval(timer);
  look();
  return { answered, peak };
}

const [given] = process.argv.slice(2);
const seconds = given === undefined ? SECONDS : Number(given);
const complaint =
  Number.isInteger(seconds) && seconds >= SHORTEST
    ? wrkMissing()
    : `How many seconds is a whole number from ${SHORTEST}, not "${given}".`;
if (complaint === undefined) await memory(seconds);
else {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 2;
}
