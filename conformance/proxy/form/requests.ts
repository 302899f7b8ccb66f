import { isObject, type JsonObject, operationsOf, resolve } from '../../../openapi/document.ts';
import { standardDocument } from '../../../openapi/effective/behaviors.ts';
import { bodySchemaOf } from '../../../openapi/effective/bodies.ts';
import { formats } from '../../../openapi/formats.ts';
import type { ClauseName } from '../../../openapi/generated/clauses.ts';
import { fullPage } from '../../core/card-list.ts';
import { instantOf } from '../../http/structure.ts';
import type { Docket } from '../finding.ts';
import type { Fields, Read } from '../read.ts';
import { tellsWhyIn } from '../rejection.ts';
import { isUnread, otherDate } from '../seen.ts';

/** The types that the specification gives the fields of a body, by operation; bounds and lengths are nobody's statement, nor is what names a card by its ID. */
const fields = new Map<string, ReadonlyMap<string, Field>>(
  operationsOf(standardDocument).map(({ id, node }) => {
    const schema = bodySchemaOf(standardDocument, node.requestBody);
    const properties = isObject(schema) ? (resolve(standardDocument, schema).properties as JsonObject) : {};
    const stated = Object.entries(properties).filter(([name]) => !(id === 'addAdjustmentByGiftCardId' && name === 'giftCardId'));
    return [id, new Map(stated.map(([name, property]) => [name, fieldOf(property as JsonObject)]))];
  }),
);

interface Field {
  readonly types: readonly string[];
  readonly format: string | undefined;
}

function fieldOf(property: JsonObject): Field {
  const { type, format } = resolve(standardDocument, property);
  return { types: [type ?? []].flat().map(String), format: typeof format === 'string' ? format : undefined };
}

/** Nothing of these is shown by the specification. */
const unstated = /Coupon/;

/** What in a request is not as the specification has it, told as the client's doing; and what such a request has to be answered with. */
export function judgeRequest(read: Read, docket: Docket): void {
  const { seen, operation, asked } = read;
  if (unstated.test(operation)) return;
  const complaints = complaintsAbout(read);
  for (const sentence of complaints) docket.client(`${seen.method} ${seen.path}: ${sentence}`, seen.n);
  if (!asked) return;
  const missing = missingFrom(operation, asked);
  for (const { name, clause } of missing) judgeMissing(read, name, clause, docket);
  // Of several faults nobody knows which one is told.
  if (missing.length > 0 && complaints.length === missing.length && !seen.doubtful) tellsWhyIn(read, docket);
}

function complaintsAbout({ seen, operation, asked, parameters }: Read): string[] {
  const known = fields.get(operation) ?? new Map<string, Field>();
  const { body } = seen;
  if (known.size > 0 && !asked)
    return isUnread(body)
      ? []
      : [`the body is ${body.is === 'json' ? 'no JSON object' : body.is === 'text' ? 'no JSON' : 'missing'}.`];
  const wrong = [...known].flatMap(([name, { types, format }]) => {
    const value = asked?.[name];
    if (value === undefined || value === null) return [];
    const type = typeOf(value);
    if (!types.includes(type))
      return [`${name} is ${article(type)}, and should be ${article(types.filter((each) => each !== 'null').join(' or '))}.`];
    return typeof value === 'string' && value.trim() !== '' && format !== undefined && isForm(format) && !fits(format, value)
      ? [`${name} is no ${format}.`]
      : [];
  });
  const spelt = Object.keys(asked ?? {}).flatMap((name) => {
    const meant = known.has(name) ? undefined : [...known.keys()].find((each) => plainly(each) === plainly(name));
    return meant === undefined ? [] : [`${name} should be spelt ${meant}.`];
  });
  const missing = asked ? missingFrom(operation, asked).map(({ name }) => `${name} is missing.`) : [];
  return [
    ...wrong,
    ...spelt,
    ...missing,
    ...(operation === 'listGiftCards' ? aboutList(parameters) : []),
    ...(operation === 'createWebhook' ? aboutWebhook(asked) : []),
    ...(operation === 'createAutomationTriggerEvent' ? aboutEvent(asked) : []),
  ];
}

/** The same for camelCase, PascalCase and snake_case. */
const plainly = (name: string) => name.replaceAll('_', '').toLowerCase();

const aboutWebhook = ({ url }: Fields = {}) =>
  typeof url === 'string' && url.trim() !== '' && !/^https:\/\//i.test(url) ? ['url is no https URL.'] : [];

function aboutEvent({ properties }: Fields = {}): string[] {
  const types = isObject(properties)
    ? Object.values(properties)
        .filter((each) => each !== null)
        .map(typeOf)
    : [];
  const other = types.find((type) => type !== 'string');
  return other === undefined ? [] : [`properties has an entry that is ${article(other)}, and should be a string.`];
}

const article = (word: string) => (/^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`);
const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);
const isForm = (format: string) => format === 'date-time' || format === 'email';
const fits = (format: string, value: string) => {
  const known = (formats as Readonly<Record<string, unknown>>)[format];
  return typeof known === 'function' ? Boolean(known(value)) : known instanceof RegExp ? known.test(value) : true;
};

function aboutList({ pageSize, pageNumber, includeAll, since }: Readonly<Record<string, string>>): string[] {
  const size = pageSize === undefined || /^\d+$/.test(pageSize) ? Number(pageSize ?? 1) : Number.NaN;
  return [
    ...(Number.isNaN(size) ? ['pageSize is no whole number.'] : size > fullPage ? [`pageSize is more than ${fullPage}.`] : []),
    ...(pageNumber === undefined || /^\d+$/.test(pageNumber) ? [] : ['pageNumber is no whole number from 0 on.']),
    ...(includeAll === undefined || /^(true|false)$/i.test(includeAll) ? [] : ['includeAll is neither true nor false.']),
    ...(since === undefined || since.trim() === '' || since === otherDate || instantOf(since) !== undefined
      ? []
      : ['since is no date and time.']),
  ];
}

/** Required fields that are not there; null is none, however it is read, and how a name is spelt may not count. */
function missingFrom(operation: string, asked: Fields): { readonly name: string; readonly clause: ClauseName }[] {
  const isMissing = (name: string) =>
    (asked[name] === undefined || asked[name] === null) &&
    !Object.keys(asked).some((each) => each !== name && plainly(each) === plainly(name));
  return requirements.filter(({ of, name, when }) => of.test(operation) && (when?.(asked) ?? true) && isMissing(name));
}

const isGifted = ({ sendAsGift, shouldSendNotification }: Fields) => sendAsGift === true && shouldSendNotification === true;
const requirements: readonly {
  readonly of: RegExp;
  readonly name: string;
  readonly clause: ClauseName;
  readonly when?: (asked: Fields) => boolean;
}[] = [
  { of: /^addAdjustment/, name: 'actionedAtUtc', clause: 'adjustment.requires-actioned-at' },
  { of: /^addAdjustment/, name: 'uniqueAdjustmentId', clause: 'adjustment.requires-unique-id' },
  { of: /^createGiftCard$/, name: 'recipientName', clause: 'gift-card.create.gifted-needs-recipient-name', when: isGifted },
  { of: /^createGiftCard$/, name: 'buyerName', clause: 'gift-card.create.gifted-needs-buyer-name', when: isGifted },
];

/** With another status than 400 something else may have been refused, about which nothing is stated. */
function judgeMissing({ seen, status, accepted }: Read, name: string, clause: ClauseName, docket: Docket): void {
  if (seen.doubtful) return;
  if (accepted) docket.violates(clause, `A request without ${name} was accepted.`, seen.n);
  else if (status === 400) docket.holds(clause);
}
