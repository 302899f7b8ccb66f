import { isObject, type JsonObject } from '../../openapi/document.ts';
import { withReadings } from '../../openapi/effective/clause-lines.ts';
import { differing } from '../../openapi/effective/readings.ts';
import { clashes } from '../../openapi/facts/check.ts';
import { defaultReadings } from '../../openapi/generated/clauses.ts';
import type { Account } from '../accounts/account.ts';
import type { Sandbox } from '../accounts/sandbox.ts';
import { factsOf, mustCompile } from '../facts/facts.ts';
import { FactsError } from '../facts/facts-error.ts';
import type { Dialect } from '../wire/dialects.ts';
import { mustBeThere } from './accounts.ts';
import { ControlError } from './control-error.ts';

/** An account, or the sandbox: how it answers those whose account is not known, and what later accounts begin with. */
type Speaker = Account | Sandbox;

type Spoken = Pick<Dialect, 'readings' | 'ownRows'>;

/** The reading of every clause, those that are not the default, and rows of one's own. */
export function readingsOf({ readings, ownRows }: Spoken) {
  const chosen = Object.fromEntries(differing(readings).map((clause) => [clause, readings[clause]]));
  return { readings: { ...readings }, differing: chosen, wire: ownRows.map((row) => ({ ...row })) };
}

/** Takes other readings of the clauses that are named, and other rows where there are any; everything else stays. Throws FactsError, or ControlError where the speaker is gone meanwhile. */
export async function changeReadings(sandbox: Sandbox, speaker: Speaker, given: unknown) {
  const facts = factsOf(given);
  const namesRows = isObject(given) && given.wire !== undefined;
  return take(sandbox, speaker, ({ readings, ownRows }) => ({
    readings: { ...readings, ...facts.facts },
    ownRows: namesRows ? facts.wire : ownRows,
  }));
}

/** Takes these readings and rows, and the default of every other clause. Throws as `changeReadings` does. */
export async function setReadings(sandbox: Sandbox, speaker: Speaker, given: unknown) {
  const facts = factsOf(given);
  return take(sandbox, speaker, () => ({ readings: { ...defaultReadings, ...facts.facts }, ownRows: facts.wire }));
}

/** `wanted` is asked when all who came before are done, so that what they changed is not lost. */
function take(sandbox: Sandbox, speaker: Speaker, wanted: (present: Spoken) => Spoken) {
  const { resets } = sandbox;
  return speaker.speaking.take(async () => {
    const { readings, ownRows } = wanted(speaker);
    const problems = clashes(readings, ownRows);
    if (problems.length > 0) throw new FactsError(problems);
    const dialect = await sandbox.dialects.of(readings, ownRows);
    mustCompile(dialect);
    if ('effects' in speaker) mustBeThere(speaker);
    else if (sandbox.resets !== resets) throw new ControlError(409, 'The sandbox was reset or restored meanwhile; ask again.');
    speaker.speak(dialect);
    return readingsOf(dialect);
  });
}

/** The contract as it is spoken, which also says which readings it comes of. */
export function documentOf({ contract, readings, ownRows }: Dialect): JsonObject {
  const document = contract.document as unknown as JsonObject;
  const told = readingsOf({ readings, ownRows });
  if (Object.keys(told.differing).length === 0 && ownRows.length === 0) return document;
  const described = withReadings(document, told.differing as Readonly<Record<string, string>>);
  return { ...described, 'x-readings': told.differing, 'x-rows': told.wire } as unknown as JsonObject;
}
