import { bodySchemaOf, isObject, type JsonObject, operationsOf, resolve } from '../../openapi/document.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { formats } from '../../openapi/formats.ts';
import { type ClauseName, clauseValues } from '../../openapi/generated/clauses.ts';
import { instantOf } from '../http/json-search.ts';
import type { Call, Fields } from './call.ts';
import type { Findings } from './findings.ts';
import { checkMessage } from './refusals.ts';

interface Field {
  readonly types: readonly string[];
  readonly format: string | undefined;
}

/** By operation, the types that the specification gives the fields of a body; which field names a card by its ID is open. */
const fields = new Map<string, ReadonlyMap<string, Field>>(
  operationsOf(standardDocument).map(({ id, node }) => {
    const schema = bodySchemaOf(standardDocument, node.requestBody);
    const properties = isObject(schema) ? (resolve(standardDocument, schema).properties as JsonObject) : {};
    const stated = Object.entries(properties).filter(([name]) => !(id === 'addAdjustmentByGiftCardId' && name === 'giftCardId'));
    return [id, new Map(stated.map(([name, property]) => [name, fieldOf(property as JsonObject)]))];
  }),
);

function fieldOf(property: JsonObject): Field {
  const { type, format } = resolve(standardDocument, property);
  return { types: [type ?? []].flat().map(String), format: typeof format === 'string' ? format : undefined };
}

/** Reports how a request differs from the contract, and checks that one without a required field is rejected. */
export function checkRequest(call: Call, findings: Findings): void {
  const { span, operation, title, request, requestBody, outcome, status, isAmbiguous } = call;
  // The specification shows nothing of coupons.
  if (operation.includes('Coupon')) return;
  if (call.key === undefined) findings.client(`${title}: the header x-api-key is missing.`, span.n);
  const hasBody = fields.has(operation) && fields.get(operation)?.size !== 0;
  if (hasBody && !request) {
    if (requestBody === 'empty') findings.client(`${title}: the body is missing.`, span.n);
    else if (requestBody !== 'unread') findings.client(`${title}: the body is not a JSON object.`, span.n);
    return;
  }
  const missing = missingFields(operation, request ?? {});
  const complaints = complaintsAbout(call, request ?? {});
  for (const complaint of [...missing.map(({ field }) => `${field} is missing`), ...complaints])
    findings.client(`${title}: ${complaint}.`, span.n);
  if (isAmbiguous || missing.length === 0) return;
  for (const { field, clause } of missing) {
    if (outcome === 'accepted') findings.violated(clause, `A request without ${field} was accepted.`, span.n);
    // Another status may be for another reason.
    else if (status === 400) findings.holds(clause);
  }
  if (complaints.length === 0) checkMessage(call, findings);
}

function complaintsAbout({ operation, parameters }: Call, request: Fields): string[] {
  const known = fields.get(operation) ?? new Map<string, Field>();
  return [
    ...[...known].flatMap(([name, field]) => valueComplaint(name, field, request[name])),
    ...spellingComplaints(known, request),
    ...(operation === 'listGiftCards' ? listComplaints(parameters) : []),
    ...(operation === 'createWebhook' ? urlComplaint(request) : []),
    ...(operation === 'createAutomationTriggerEvent' ? propertiesComplaint(request) : []),
  ];
}

interface Requirement {
  readonly operation: RegExp;
  readonly field: string;
  readonly clause: ClauseName;
  readonly applies?: (request: Fields) => boolean;
}

const isGifted = ({ sendAsGift, shouldSendNotification }: Fields) => sendAsGift === true && shouldSendNotification === true;

const requirements: readonly Requirement[] = [
  { operation: /^addAdjustment/, field: 'actionedAtUtc', clause: 'adjustment.requires-actioned-at' },
  { operation: /^addAdjustment/, field: 'uniqueAdjustmentId', clause: 'adjustment.requires-unique-id' },
  {
    ...{ operation: /^createGiftCard$/, field: 'recipientName' },
    ...{ clause: 'gift-card.create.gifted-needs-recipient-name', applies: isGifted },
  },
  {
    ...{ operation: /^createGiftCard$/, field: 'buyerName' },
    ...{ clause: 'gift-card.create.gifted-needs-buyer-name', applies: isGifted },
  },
];

/** Equal for camelCase, PascalCase and snake_case. */
const plainName = (name: string) => name.replaceAll('_', '').toLowerCase();

/** Required fields that the request does not have, in any spelling: which spellings are read is open. */
function missingFields(operation: string, request: Fields): readonly Requirement[] {
  const has = (field: string) =>
    (request[field] ?? undefined) !== undefined ||
    Object.keys(request).some((name) => name !== field && plainName(name) === plainName(field));
  return requirements.filter((each) => each.operation.test(operation) && (each.applies?.(request) ?? true) && !has(each.field));
}

function valueComplaint(name: string, { types, format }: Field, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const type = Array.isArray(value) ? 'array' : typeof value;
  if (!types.includes(type))
    return [`${name} must be of type ${types.filter((each) => each !== 'null').join(' or ')}, got ${type}`];
  const isChecked = typeof value === 'string' && value.trim() !== '' && (format === 'date-time' || format === 'email');
  return isChecked && !hasFormat(format, value) ? [`${name} is not a valid ${format}`] : [];
}

function hasFormat(format: string, value: string): boolean {
  const known = (formats as Readonly<Record<string, unknown>>)[format];
  return typeof known === 'function' ? Boolean(known(value)) : known instanceof RegExp ? known.test(value) : true;
}

const spellingComplaints = (known: ReadonlyMap<string, Field>, request: Fields): string[] =>
  Object.keys(request).flatMap((name) => {
    const meant = known.has(name) ? undefined : [...known.keys()].find((each) => plainName(each) === plainName(name));
    return meant === undefined ? [] : [`the field ${meant} is spelled differently`];
  });

function listComplaints({ pageSize, pageNumber, includeAll, since }: Readonly<Record<string, string>>): string[] {
  const most = clauseValues['list.page-size-maximum'];
  const isCount = (text: string) => /^\d+$/.test(text);
  return [
    ...(pageSize === undefined || isCount(pageSize) ? [] : ['pageSize is not an integer']),
    ...(pageSize !== undefined && Number(pageSize) > most ? [`pageSize must be at most ${most}, got ${Number(pageSize)}`] : []),
    ...(pageNumber === undefined || isCount(pageNumber) ? [] : ['pageNumber is not an integer from 0']),
    ...(includeAll === undefined || /^(true|false)$/i.test(includeAll) ? [] : ['includeAll is not true or false']),
    ...(since === undefined || since.trim() === '' || instantOf(since) !== undefined ? [] : ['since is not a date and time']),
  ];
}

const urlComplaint = ({ url }: Fields): string[] =>
  typeof url === 'string' && url.trim() !== '' && !/^https:\/\//i.test(url) ? ['url does not begin with https://'] : [];

function propertiesComplaint({ properties }: Fields): string[] {
  const values = isObject(properties) ? Object.values(properties) : [];
  return values.every((each) => each === null || typeof each === 'string') ? [] : ['properties must be strings'];
}
