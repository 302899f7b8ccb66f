import { questions, standardDocument } from '../../openapi/effective/behaviors.ts';
import { complaintsAbout } from '../../openapi/effective/complaints.ts';
import { contradictions } from '../../openapi/effective/contradictions.ts';
import { readRow } from '../../openapi/effective/row-shape.ts';
import type { Row, SourcedRow } from '../../openapi/effective/rows.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { ClauseResult } from '../core/result.ts';

/** What is known of a clause, as far as it bears on the wire. */
export interface Claim {
  readonly name: ClauseName | undefined;
  /** As sentences call it. */
  readonly from: string;
  readonly reading?: string | undefined;
  readonly rows: readonly Row[];
}

/** A claim that cannot hold beside the others, with the sentence that says why. */
interface LeftOut {
  readonly claim: Claim;
  readonly why: string;
}

/**
 * Which of the claims one contract can have together: what comes first stays, and what contradicts it is left out. A claim that others make room for,
 * by moving what stands in its place, is tried again after them.
 */
export function agreeing(claims: readonly Claim[]): { readonly kept: readonly Claim[]; readonly leftOut: readonly LeftOut[] } {
  // Mostly they all agree, and trying them one by one takes long.
  if (whyNot([], claims) === undefined) return { kept: claims, leftOut: [] };
  const kept = new Set(claims.filter((claim) => rowsOf(claim).length === 0));
  const refused = new Map<Claim, string>();
  let open = claims.filter((claim) => !kept.has(claim));
  let rows: SourcedRow[] = [];
  for (let progress = true; progress; ) {
    progress = false;
    for (const claim of open) {
      const why = whyNot(rows, [claim]);
      if (why === undefined) {
        kept.add(claim);
        refused.delete(claim);
        rows = [...rows, ...rowsOf(claim)];
        progress = true;
      } else refused.set(claim, why);
    }
    open = open.filter((claim) => !kept.has(claim));
  }
  return { kept: claims.filter((claim) => kept.has(claim)), leftOut: Array.from(refused, ([claim, why]) => ({ claim, why })) };
}

/** Why these cannot stand beside the rows; undefined where they can. */
function whyNot(beside: readonly SourcedRow[], claims: readonly Claim[]): string | undefined {
  const rows = claims.flatMap(rowsOf);
  const [why] = [...unusable(claims.flatMap((claim) => claim.rows)), ...contradictions([...beside, ...rows], standardDocument)];
  return why;
}

/** What makes a contract speak as was seen of these clauses: the rows of their behaviors, and those of what no reading has. */
export function rowsSeen(clauses: readonly Pick<ClauseResult, 'name' | 'observation'>[]): Row[] {
  const seen = clauses.flatMap(({ name, observation }): Claim[] => {
    const rows = (observation?.overrides ?? []) as Row[];
    // Apart, since one can stand where the other cannot.
    return [
      ...(observation?.option == null ? [] : [{ name, from: name, reading: observation.option, rows: [] }]),
      ...(rows.length > 0 ? [{ name, from: name, rows }] : []),
    ];
  });
  const rows = agreeing(seen).kept.flatMap(rowsOf);
  return [...new Map(rows.map(({ row }) => [JSON.stringify(row), row])).values()];
}

function rowsOf({ name, from, reading, rows }: Claim): SourcedRow[] {
  const listed = name === undefined || reading === undefined ? [] : (questions[name]?.behaviors?.[reading]?.wire ?? []);
  return [...listed, ...rows].map((row) => ({ row, from }));
}

/** What is wrong with rows by themselves: a contract cannot have every name that somebody's JSON can. */
export function unusable(rows: readonly Row[]): string[] {
  return rows.flatMap((given) => {
    const row = readRow(given);
    return typeof row === 'string' ? [row] : complaintsAbout(row, standardDocument);
  });
}
