import { UsageError } from '../../command-line/usage-error.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { excerpt } from '../http/excerpt.ts';
import { agreeing } from '../learn/agreeing.ts';
import { type FactsFile, readFacts, readingOf, type Sighting } from '../learn/file.ts';
import { namesOf, seenAt, wordsOf } from '../learn/known.ts';
import { handRows } from '../learn/learned.ts';
import { updateFacts } from '../learn/written.ts';
import { type Io, say } from './command-line.ts';

/** Chooses behaviors by hand: what is learned later leaves them as they are. */
export async function pin([file, ...given]: readonly string[], io: Io): Promise<number> {
  if (file === undefined || given.length === 0)
    throw new UsageError('facts pin takes a facts file and what holds: facts pin facts.yaml http.head=like-get');
  const known = await readFacts(file);
  const chosen = given.map((text): readonly [ClauseName, string] => {
    const [name = '', ...reading] = text.split('=');
    if (reading.length === 0)
      throw new UsageError(`facts pin takes a clause and its reading, as in http.head=like-get, not "${text}".`);
    return [name as ClauseName, readingOf(name, reading.join('='), 'facts pin')];
  });
  const names = chosen.map(([name]) => name);
  const at = new Date().toISOString();
  const pinned = { ...known.pinned, ...Object.fromEntries(names.map((name) => [name, at])) };
  // Where one has a date of its own, all that were seen do.
  const dated = namesOf(known).flatMap((name) => {
    const seenThen = seenAt(known, name);
    return seenThen === undefined ? [] : [[name, { at: seenThen }]];
  });
  const seen: Partial<Record<ClauseName, Sighting>> = { ...Object.fromEntries(dated), ...known.seen };
  for (const name of names) {
    const was = wordsOf(known, name);
    const sighting = seen[name];
    // What was chosen before tells nothing of what was seen.
    if (sighting && was !== undefined && known.pinned?.[name] === undefined) seen[name] = { as: was, ...sighting };
  }
  await written(file, {
    ...known,
    facts: { ...known.facts, ...Object.fromEntries(chosen) },
    unforeseen: without(known.unforeseen, names),
    pinned,
    seen,
  });
  return say(io, `${file} has ${names.join(', ')} as ${names.length === 1 ? 'it is' : 'they are'} said, whatever is seen.\n`);
}

/** What was seen holds again; of what nobody saw, nothing is known any more. */
export async function unpin([file, ...given]: readonly string[], io: Io): Promise<number> {
  if (file === undefined || given.length === 0)
    throw new UsageError('facts unpin takes a facts file and clauses: facts unpin facts.yaml http.head');
  const known = await readFacts(file);
  const names = given as ClauseName[];
  for (const name of names)
    if (!Object.hasOwn(known.pinned ?? {}, name))
      throw new UsageError(`${file} does not pin "${name}"; facts show says what it pins.`);
  const facts: Partial<Record<ClauseName, string>> = { ...without(known.facts, names) };
  const unforeseen: Partial<Record<ClauseName, string>> = { ...known.unforeseen };
  const seen = { ...known.seen };
  for (const name of names) {
    const { as, ...sighting } = seen[name] ?? { at: '' };
    if (as === undefined) continue;
    seen[name] = sighting;
    if (isReading(name, as)) facts[name] = as;
    else unforeseen[name] = as;
  }
  await written(file, { ...known, facts, unforeseen, pinned: without(known.pinned, names), seen });
  const after = { facts, unforeseen };
  const told = names.map((name) => {
    const words = wordsOf(after, name);
    return `${name}  ${words === undefined ? 'not known any more: nobody saw it' : `${excerpt(words, 200)}, as it was seen`}\n`;
  });
  return say(io, `${file} pins ${names.length === 1 ? 'it' : 'them'} no more.\n${told.join('')}`);
}

function isReading(name: ClauseName, words: string): boolean {
  try {
    return readingOf(name, words, '') === words;
  } catch {
    return false;
  }
}

function without<T>(by: Readonly<Partial<Record<ClauseName, T>>> | undefined, names: readonly ClauseName[]) {
  return Object.fromEntries(Object.entries(by ?? {}).filter(([name]) => !names.includes(name as ClauseName))) as Partial<
    Record<ClauseName, T>
  >;
}

/** Writes the file with the rows that its behaviors leave room for. Throws UsageError where what is pinned contradicts itself or a row written by hand. */
async function written(file: string, known: FactsFile): Promise<void> {
  const hand = handRows(known);
  const pinned = Object.keys(known.pinned ?? {}) as ClauseName[];
  const others = (Object.keys({ ...known.facts, ...known.unforeseen }) as ClauseName[]).filter((name) => !pinned.includes(name));
  const claim = (name: ClauseName, rows = known.seen?.[name]?.wire ?? []) => ({
    name,
    from: name,
    reading: known.facts?.[name],
    rows,
  });
  const { kept, leftOut } = agreeing([
    ...hand.map((row) => ({ name: undefined, from: `the row ${JSON.stringify(row)}`, rows: [row] })),
    ...pinned.map((name) => claim(name, [])),
    ...others.map((name) => claim(name)),
  ]);
  const [first] = leftOut;
  if (first) throw new UsageError(`${file} was left as it is: ${first.why}`);
  const wire = [...new Map(kept.flatMap(({ rows }) => rows).map((row) => [JSON.stringify(row), row])).values()];
  const { wire: _, unforeseen = {}, pinned: pins = {}, seen = {}, ...rest } = known;
  await updateFacts(file, {
    ...rest,
    ...(Object.keys(unforeseen).length > 0 ? { unforeseen } : {}),
    ...(wire.length > 0 ? { wire } : {}),
    ...(Object.keys(pins).length > 0 ? { pinned: pins } : {}),
    ...(Object.keys(seen).length > 0 ? { seen } : {}),
  });
}
