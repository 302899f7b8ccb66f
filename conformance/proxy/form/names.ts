import type { Docket } from '../finding.ts';
import type { Read } from '../read.ts';
import { jsonOf } from '../seen.ts';

/** Cards of their own are judged with all that is stated of them. */
const cards = new Set(['createGiftCard', 'getGiftCardByCode', 'getGiftCardById']);

/** What begins otherwise is no field, such as a link of HAL. */
const otherCase = /^[A-Z]\w*[a-z]|^[A-Za-z][A-Za-z0-9]*_\w/;
/** Words by which a name is no value, such as that of an automation. */
const camelCased = /^[a-z][a-z0-9]*([A-Z][a-z0-9]*)*(Id|Name|Url|Utc|Cards?|Code|Key|Status|Balance|Field\d|Address)$/;

/** Names are in camelCase, but those of automation events in snake_case. */
export function judgeNames({ seen, operation, accepted }: Read, docket: Docket): void {
  if (!accepted || seen.nearly || cards.has(operation)) return;
  const isEvent = operation === 'createAutomationTriggerEvent';
  const clause = isEvent ? 'automation.uses-snake-case' : 'http.camel-case-names';
  const names = ownNames(jsonOf(seen.answer), isEvent);
  const others = names.filter((name) => (isEvent ? camelCased.test(name) : otherCase.test(name)));
  if (others.length > 0)
    docket.violates(
      clause,
      `Names in the answer of ${seen.method} ${seen.path} are not in ${isEvent ? 'snake_case' : 'camelCase'}: ${others.slice(0, 5).join(', ')}.`,
      seen.n,
    );
  else if (names.length > 0 && !isEvent) docket.holds(clause);
}

/** Of the answer and of the records in its lists; what stands deeper may be somebody's data. */
function ownNames(json: unknown, isEvent: boolean): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const lists = Array.isArray(json) ? [json] : Object.values(json).filter((each) => Array.isArray(each));
  const records = lists.flat().filter((each) => typeof each === 'object' && each !== null && !Array.isArray(each));
  // In which case a card is written in the answer of an event can be read in two ways.
  const judged = isEvent ? records.filter((each) => !('balance' in each || 'code' in each)) : records;
  const all = Array.isArray(json) ? judged : [json, ...judged];
  return [...new Set(all.flatMap((each) => Object.keys(each)))];
}
