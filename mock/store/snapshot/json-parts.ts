import { idle, sliceOfTime } from '../../account/clock.ts';
import type { AccountSnapshot, SandboxSnapshot } from './capture.ts';

/** In characters. V8 cannot make one text of a large snapshot. */
const PART = 65_536;

/** Yields the JSON text of a snapshot in parts, in UTF-8. The event loop can handle other requests between two parts. */
export async function* jsonParts(snapshot: AccountSnapshot | SandboxSnapshot): AsyncGenerator<Buffer> {
  let [text, isOver] = ['', sliceOfTime()];
  // A record of an account is at the third level. JSON.stringify is faster than this function, so it writes each record.
  for (const piece of piecesOf(snapshot, 'accounts' in snapshot ? 5 : 3)) {
    text += piece;
    if (text.length < PART) continue;
    yield Buffer.from(text);
    text = '';
    if (!isOver()) continue;
    await idle();
    isOver = sliceOfTime();
  }
  yield Buffer.from(text);
}

/** Yields the JSON text of a value. A value at the level `depth` is one piece. */
function* piecesOf(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  let mark = isList ? '[' : '{';
  for (const item of isList ? value : Object.entries(value)) {
    if (!isList && item[1] === undefined) continue;
    yield isList ? mark : `${mark}${JSON.stringify(item[0])}:`;
    yield* piecesOf(isList ? item : item[1], depth - 1);
    mark = ',';
  }
  yield mark === ',' ? (isList ? ']' : '}') : isList ? '[]' : '{}';
}
