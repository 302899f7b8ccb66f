import { load, type Request } from './load.ts';
import { mockServer, type Server } from './server.ts';
import { table, verdict } from './table.ts';
import { createCards, requests } from './throughput.ts';

const SECONDS = 5;
const MEGABYTE = 1024 * 1024;

/** The memory of the mock at full rate with a full journal: reads add nothing, and an adjustment adds only its record. */
export async function memory(root: string, folder: string): Promise<string> {
  const server = await mockServer(root);
  const code = await createCards(server);
  const reads = requests.map(({ request }) => request(code)).filter(({ method }) => method === 'GET');
  const peaks: number[] = [];
  for (let turn = 0; turn < 8; turn++) peaks.push((await watch(server, reads[turn % 2] as Request, folder)).peak);
  const [before, after] = [Math.max(...peaks.slice(0, 4)), Math.max(...peaks.slice(4))];

  // The first turn fills the journal.
  const first = await watch(server, adjustment(code, 0), folder);
  let [adjusted, end] = [0, first.peak];
  for (let turn = 1; turn < 4; turn++) {
    const { answered, peak } = await watch(server, adjustment(code, turn), folder);
    adjusted += answered;
    end = peak;
  }
  await server.stop();
  const each = (end - first.peak) / adjusted;
  const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(0);
  return table([
    ['peak memory, MB', 'before', 'after', '', 'limit', ''],
    [
      'reads',
      megabytes(before),
      megabytes(after),
      `${(after / before).toFixed(2)} times`,
      '<= 1.1',
      verdict(after <= 1.1 * before),
    ],
    ['adjustments', megabytes(first.peak), megabytes(end), `${each.toFixed(0)} bytes each`, '<= 1000', verdict(each <= 1000)],
  ]);
}

function adjustment(giftCardCode: string, turn: number): Request {
  const [{ request }] = requests as [(typeof requests)[number]];
  const fields = { giftCardCode, adjustmentAmount: 0.01, actionedAtUtc: '2026-01-01T00:00:00Z' };
  return {
    method: 'POST',
    target: '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode',
    headers: request(giftCardCode).headers,
    body: JSON.stringify({ ...fields, uniqueAdjustmentId: `bench-${turn}-{n}` }),
  };
}

/** The most memory that the server has while a request is repeated. */
async function watch(server: Server, request: Request, folder: string): Promise<{ answered: number; peak: number }> {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, server.memory());
  }, 100);
  const { answered } = await load(server, request, SECONDS, folder);
  clearInterval(timer);
  return { answered, peak };
}
