import contract from '../../openapi/generated/contract.json' with { type: 'json' };
import type { OperationId } from '../../openapi/generated/validators.js';
import { type Properties, propertiesOf } from '../contract/parse/properties.ts';
import type { LessonName } from './lessons.ts';

/** What can be told from a body alone, whatever the service made of it. */

export type Body = Readonly<Record<string, unknown>>;
export type Tell = (name: LessonName, seen: string) => unknown;

/** Looks at the body of an operation; of operations without one there is nothing to look at. */
export function lookAtBody(operation: OperationId, body: Body, tell: Tell): void {
  const properties = known.get(operation);
  if (!properties) return;
  const isNamed = !UNNAMED.has(operation);
  for (const name in body) {
    const value = body[name];
    const property = properties.get(name);
    if (!property && isNamed) tell('property-unknown', `The body has "${name}", which the service does not know.`);
    else if (typeof value === 'number') lookAtAmount(name, value, tell);
    else if (typeof value === 'string' && property?.isMoment) lookAtTime(name, value, tell);
  }
  if (operation === 'createGiftCard') lookAtEmails(body, tell);
}

/** A time that says neither Z nor how far it is from UTC. */
export function lookAtTime(name: string, value: string, tell: Tell): void {
  if (value.length <= 40 && /^\d{4}-\d\d-\d\d[T ][\d:.]+$/i.test(value))
    tell('date-without-zone', `${name} is ${value}, without a zone.`);
}

/** No currency has more than four decimals; more than six come from binary fractions. */
function lookAtAmount(name: string, value: number, tell: Tell): void {
  if (Number.isInteger(value) || Math.round(value * 1e6) / 1e6 === value) return;
  tell('money-binary-fraction', `${name} is ${value}.`);
}

function lookAtEmails(body: Body, tell: Tell): void {
  const isAskedFor = body.shouldSendNotification === true;
  const isGift = body.sendAsGift === true;
  if (isGift && !isAskedFor) tell('email-gift-flag-alone', 'sendAsGift is true without shouldSendNotification.');
  if (isAskedFor && body.disableEmails === true)
    tell('email-asked-for-and-disabled', 'shouldSendNotification and disableEmails are both true.');
  if (isAskedFor && isNothing(body.recipientEmailAddress))
    tell('email-without-address', 'shouldSendNotification is true without a recipientEmailAddress.');
  if (!isNothing(body.giftScheduledForUtc) && !isGift)
    tell('email-schedule-without-gift', 'giftScheduledForUtc is given without sendAsGift.');
}

/** Left out, null or blank. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Operations whose properties the specification does not name: the service may know others than this one. */
const UNNAMED: ReadonlySet<OperationId> = new Set(['createWebStoreCoupon', 'updateWebStoreCoupon']);

/** What is in the bodies of operations that have one. */
const known = new Map<OperationId, Properties>();
for (const item of Object.values(contract.paths)) {
  for (const { operationId, requestBody } of Object.values(item) as OperationObject[])
    if (requestBody) known.set(operationId, propertiesOf(requestBody.content['application/json'].schema, contract));
}

interface OperationObject {
  readonly operationId: OperationId;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: unknown } } };
}
