import { isObject, type JsonObject, operationsOf, resolve } from '../document.ts';

/** What is wrong with the wire rows of a reading: each row must point to something that the contract has. */
export function complaintsAboutRows(rows: JsonObject[], contract: JsonObject): string[] {
  return rows.flatMap((row) => {
    if (typeof row.rename === 'string') return aboutRename(row.rename, String(row.to), contract);
    if (typeof row.move === 'string') return aboutProperty(row.move, contract);
    if (typeof row.wrap === 'string') return aboutWrap(row.wrap, contract);
    if (typeof row.schema === 'string') return aboutSchema(row.schema, contract);
    if (typeof row.required === 'string') return aboutPlace(row.required, contract);
    const target = row.status ?? row.media ?? row.body;
    const complaints = aboutAnswer(String(target), contract);
    if ('body' in row) complaints.push(...aboutBody(row.to, contract));
    return complaints;
  });
}

function aboutRename(what: string, to: string, contract: JsonObject): string[] {
  const complaints = aboutPlace(what, contract);
  if (complaints.length > 0) return complaints;
  const [owner = ''] = what.split('.');
  const parameters = parametersOf(owner, contract);
  if (parameters) return parameters.includes(to) ? [`${owner} already has a parameter ${to}.`] : [];
  return to in propertiesOf(owner, contract) ? [`${owner} already has a property ${to}.`] : [];
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

function aboutBody(body: unknown, contract: JsonObject): string[] {
  if (Array.isArray(body)) return body.flatMap((item) => aboutBody(item, contract));
  if (!isObject(body)) return [];
  if (typeof body.$schema === 'string')
    return body.$schema in schemasOf(contract) ? [] : [`the contract has no schema ${body.$schema}.`];
  return Object.values(body).flatMap((value) => aboutBody(value, contract));
}

/** Every refusal code that some response carries. */
export function refusalCodes(contract: JsonObject): Set<string> {
  const answers = operationsOf(contract).flatMap(({ node }) => Object.values(node.responses as JsonObject));
  const outside = Object.values((contract['x-outside-operations'] ?? {}) as JsonObject);
  return new Set([...answers, ...outside].flatMap((answer) => (resolve(contract, answer)['x-refusals'] ?? []) as string[]));
}
