import { bodySchemaOf, isObject, type Json, type JsonObject, operationsOf } from '../../../openapi/document.ts';
import { answerTranslator, filled, mediaOf } from '../../../openapi/effective/bodies.ts';
import type { AnswerOverrides, Plan } from '../../../openapi/effective/plan.ts';
import { schemaName } from '../../../openapi/effective/schemas.ts';
import { type Translate, Translator } from '../../../openapi/effective/translate.ts';
import type { FieldErrors } from '../render/refusals.ts';
import type { Names } from './names.ts';

/**
 * How an account's wire differs from the contract that operations and domain speak; whatever has no entry is told as it is. Values coming in have
 * been checked before, those going out are checked after.
 */
export interface Wire {
  /** Request bodies, by operation. */
  readonly bodies: ReadonlyMap<string, Translate>;
  /** By operation: the contract's name of each parameter, by its name on the wire. */
  readonly parameters: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** By operation: what the wire calls a property of its body or a parameter that has another name or place there, by the contract's name. */
  readonly names: ReadonlyMap<string, Names>;
  /** Replies, by operation; the cards in them have been written already. */
  readonly replies: ReadonlyMap<string, Translate>;
  /** Values of the component schemas, going out. */
  readonly schemas: ReadonlyMap<string, Translate>;
  /** By refusal code. */
  readonly refusals: ReadonlyMap<string, RefusalForm>;
}

/** How a refusal's message is told. */
interface RefusalForm {
  /** Undefined when the body is empty. */
  readonly mediaType: string | undefined;
  body(message: string, status: number, errors?: FieldErrors): string;
}

const WRITTEN = new Set(['GiftCard']);

/** `document` is patched already, but has the contract's own names. */
export function wireOf(document: JsonObject, plan: Plan): Wire {
  const translator = new Translator(document, plan);
  const bodies = new Map<string, Translate>();
  const parameters = new Map<string, ReadonlyMap<string, string>>();
  const names = new Map<string, Names>();
  const replies = new Map<string, Translate>();
  const schemas = new Map<string, Translate>();
  const refusals = new Map<string, RefusalForm>();
  const operations = operationsOf(document);
  for (const { id, node } of operations) {
    const schema = bodySchemaOf(document, node.requestBody);
    set(bodies, id, translator.inward(schema));
    set(replies, id, answerTranslator(document, node, plan, translator, WRITTEN));
    const places = plan.places.get(id);
    const ofBody = isObject(schema) ? plan.places.get(schemaName(schema.$ref) ?? '') : undefined;
    if (places || ofBody)
      names.set(id, new Map([...(places ?? []), ...(ofBody ?? [])].map(([name, steps]) => [name, steps.join('.')])));
    if (places) parameters.set(id, new Map(Array.from(places, ([name, [place]]) => [place as string, name])));
  }
  for (const name of Object.keys((document.components as JsonObject).schemas as JsonObject))
    set(schemas, name, translator.outward({ $ref: `#/components/schemas/${name}` }));
  const ids = new Set(operations.map(({ id }) => id));
  for (const [code, rows] of plan.answers) {
    if (!ids.has(code) && (rows.media !== undefined || rows.body !== undefined)) refusals.set(code, formOf(rows));
  }
  return { bodies, parameters, names, replies, schemas, refusals };
}

function set(table: Map<string, Translate>, name: string, translate: Translate | undefined): void {
  if (translate) table.set(name, translate);
}

function formOf({ media, body: template = '{message}' }: AnswerOverrides): RefusalForm {
  if (template === null) return { mediaType: undefined, body: () => '' };
  const mediaType = media ?? mediaOf(template);
  const isJson = /[/+]json$/.test(mediaType);
  return {
    mediaType,
    body: (message, status, errors = {}) => {
      const told = filled(template as Json, { message, status, errors });
      return typeof told === 'string' && !isJson ? told : JSON.stringify(told);
    },
  };
}
