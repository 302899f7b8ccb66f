import { bodySchemaOf, isObject, type Json, type JsonObject, operationsOf, resolve, successOf } from '../document.ts';
import { refusalsOf } from './answers.ts';
import { partOf } from './bodies.ts';
import { type Override, WITHOUT_BODY } from './overrides.ts';

/** What is wrong with a row by itself: it must point to something that the contract has. */
export function complaintsAbout(row: Override, contract: JsonObject): string[] {
  if ('rename' in row) return aboutPlace(row.rename, contract);
  if ('move' in row) return aboutMove(row.move, contract);
  if ('wrap' in row) return aboutWrap(row.wrap, contract);
  if ('schema' in row) return aboutSchema(row.schema, contract);
  if ('required' in row) return aboutNeed(row.required, row.to, contract);
  if ('body' in row) return [...aboutAnswer(row.body, contract), ...aboutBody(row.body, row.to, contract)];
  if ('status' in row) return [...aboutAnswer(row.status, contract), ...aboutStatus(row.status, row.to, contract)];
  return aboutAnswer(row.media, contract);
}

function aboutMove(what: string, contract: JsonObject): string[] {
  const [owner = ''] = what.split('.');
  return parametersOf(owner, contract)
    ? [`${what} is a parameter and cannot be moved; rename it.`]
    : aboutProperty(what, contract);
}

function aboutNeed(what: string, isNeeded: boolean, contract: JsonObject): string[] {
  const complaints = aboutPlace(what, contract);
  const [owner, name] = what.split('.');
  const operation = operationsOf(contract).find(({ id, path }) => id === owner && path.includes(`{${name}}`));
  return operation && !isNeeded ? [`${what} stands in the path and cannot be left out.`] : complaints;
}

/** A schema's property or an operation's parameter. */
function aboutPlace(what: string, contract: JsonObject): string[] {
  const [owner = '', name = ''] = what.split('.');
  const parameters = parametersOf(owner, contract);
  if (!parameters) return aboutProperty(what, contract);
  return parameters.includes(name) ? [] : [`${owner} has no parameter ${name} (it has ${parameters.join(', ') || 'none'}).`];
}

/** A whole schema, or a place as above. */
function aboutSchema(what: string, contract: JsonObject): string[] {
  if (what.includes('.')) return aboutPlace(what, contract);
  return what in schemasOf(contract) ? [] : [`the contract has no schema ${what}.`];
}

/** The names of an operation's parameters, or undefined when there is no such operation. */
function parametersOf(id: string, contract: JsonObject): string[] | undefined {
  const operation = operationsOf(contract).find((each) => each.id === id);
  const parameters = operation && ((operation.node.parameters ?? []) as JsonObject[]);
  return parameters?.map((parameter) => String(resolve(contract, parameter).name));
}

function schemasOf(contract: JsonObject): JsonObject {
  return (contract.components as JsonObject).schemas as JsonObject;
}

function propertiesOf(schema: string, contract: JsonObject): JsonObject {
  const node = schemasOf(contract)[schema];
  return isObject(node) && isObject(node.properties) ? node.properties : {};
}

function aboutProperty(what: string, contract: JsonObject): string[] {
  const [schema = '', property = ''] = what.split('.');
  if (!(schema in schemasOf(contract))) return [`the contract has neither a schema nor an operation ${schema}.`];
  return property in propertiesOf(schema, contract) ? [] : [`the schema ${schema} has no property ${property}.`];
}

function aboutWrap(id: string, contract: JsonObject): string[] {
  return operationsOf(contract).some((operation) => operation.id === id) ? [] : [`the contract has no operation ${id} to wrap.`];
}

function aboutAnswer(target: string, contract: JsonObject): string[] {
  const operations = operationsOf(contract);
  const known = operations.some(({ id }) => id === target) || refusalCodes(contract).has(target);
  return known ? [] : [`${target} is neither a refusal code nor an operation of the contract.`];
}

/** What an operation answers with when all is well says that all is well; what a refusal says stands in its body. */
function aboutStatus(target: string, status: number, contract: JsonObject): string[] {
  const isSuccess = operationsOf(contract).some(({ id }) => id === target);
  if (isSuccess && status >= 300)
    return [`the answer of ${target} tells of success, which is a status from 200 to 299; a refusal is named by its code.`];
  return !isSuccess && WITHOUT_BODY.has(status)
    ? [`${target} is a refusal, and ${status} is a status of answers that say nothing; take one from 400 to 599.`]
    : [];
}

/** Each part of the answer that a template asks for has to be in the answer. */
function aboutBody(target: string, template: Json, contract: JsonObject, listed = false): string[] {
  if (Array.isArray(template)) return template.flatMap((item, index) => aboutBody(target, item, contract, index === 0));
  if (!isObject(template)) return [];
  const { $schema: schema } = template;
  if (typeof schema !== 'string') return Object.values(template).flatMap((value) => aboutBody(target, value, contract));
  if (!(schema in schemasOf(contract))) return [`the contract has no schema ${schema}.`];
  const operation = operationsOf(contract).find(({ id }) => id === target);
  const answer = operation && bodySchemaOf(contract, successOf(operation.node)[1]);
  return partOf(contract, answer, schema, listed)
    ? []
    : [`the answer of ${target} has no part that is ${listed ? 'a list of ' : ''}${schema}.`];
}

/** Every refusal code that some response carries, or that behaviors move away from it. */
export function refusalCodes(contract: JsonObject): Set<string> {
  const answers = operationsOf(contract).flatMap(({ node }) => Object.values(node.responses as JsonObject));
  const outside = Object.values((contract['x-outside-operations'] ?? {}) as JsonObject);
  return new Set([...answers, ...outside].flatMap((answer) => Object.values(refusalsOf(resolve(contract, answer))).flat()));
}
