import { bodySchemaOf, isObject, type Json, type JsonObject, operationsOf, schemasOf } from '../../../openapi/document.ts';
import { filled, mediaOf, responseTranslator } from '../../../openapi/effective/bodies.ts';
import type { OverridePlan, ResponseOverrides } from '../../../openapi/effective/plan.ts';
import { schemaName } from '../../../openapi/effective/schemas.ts';
import { type Translate, Translator } from '../../../openapi/effective/translate.ts';
import type { RefusalForm } from '../render/refusals.ts';
import type { Names } from './names.ts';

/**
 * Translators between the names on an account's wire and the standard names. A value without a translator stays unchanged. Incoming values are
 * checked before their translation, outgoing values after their translation.
 */
export interface Wire {
  /** Translators of request bodies, by operation. */
  readonly bodies: ReadonlyMap<string, Translate>;
  /** For each operation, maps the names of renamed parameters on the wire to the standard names. */
  readonly parameters: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** For each operation, maps the standard names of renamed properties and parameters to the names on the wire. */
  readonly names: ReadonlyMap<string, Names>;
  /** Translators of responses, by operation. The translators skip cards, because cards in a response are already rendered. */
  readonly responses: ReadonlyMap<string, Translate>;
  /** Translators of outgoing values, by component schema. */
  readonly schemas: ReadonlyMap<string, Translate>;
  /** Responses that overrides change, by refusal code. */
  readonly refusals: ReadonlyMap<string, RefusalForm>;
}

const WRITTEN = new Set(['GiftCard']);

/** Makes the translators. In the schemas of `document`, all overrides are applied except those that rename properties. */
export function wireOf(document: JsonObject, plan: OverridePlan): Wire {
  const translator = new Translator(document, plan);
  const bodies = new Map<string, Translate>();
  const parameters = new Map<string, ReadonlyMap<string, string>>();
  const names = new Map<string, Names>();
  const responses = new Map<string, Translate>();
  const schemas = new Map<string, Translate>();
  const refusals = new Map<string, RefusalForm>();
  const operations = operationsOf(document);
  for (const { id, node } of operations) {
    const schema = bodySchemaOf(document, node.requestBody);
    set(bodies, id, translator.inward(schema));
    set(responses, id, responseTranslator(document, node, plan, translator, WRITTEN));
    const places = plan.places.get(id);
    const ofBody = isObject(schema) ? plan.places.get(schemaName(schema.$ref) ?? '') : undefined;
    if (places || ofBody)
      names.set(id, new Map([...(places ?? []), ...(ofBody ?? [])].map(([name, steps]) => [name, steps.join('.')])));
    if (places) parameters.set(id, new Map(Array.from(places, ([name, [place]]) => [place as string, name])));
  }
  for (const name of Object.keys(schemasOf(document)))
    set(schemas, name, translator.outward({ $ref: `#/components/schemas/${name}` }));
  const ids = new Set(operations.map(({ id }) => id));
  for (const [code, rows] of plan.responseOverrides) {
    if (!ids.has(code) && (rows.media !== undefined || rows.body !== undefined)) refusals.set(code, formOf(rows));
  }
  return { bodies, parameters, names, responses, schemas, refusals };
}

function set(table: Map<string, Translate>, name: string, translate: Translate | undefined): void {
  if (translate) table.set(name, translate);
}

function formOf({ media, body: template = '{message}' }: ResponseOverrides): RefusalForm {
  if (template === null) return { mediaType: undefined, body: () => '' };
  const mediaType = media ?? mediaOf(template);
  const isJson = /[/+]json$/.test(mediaType);
  return {
    mediaType,
    body: (message, status, errors = {}) => {
      const body = filled(template as Json, { message, status, errors });
      return typeof body === 'string' && !isJson ? body : JSON.stringify(body);
    },
  };
}
