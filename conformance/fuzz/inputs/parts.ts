import fc, { type Arbitrary } from 'fast-check';
import { excerpt } from '../../http/excerpt.ts';
import type { Ask } from '../../http/exchange.ts';
import type { Field, Shape } from './shape.ts';
import {
  type Allowing,
  anyQueryValue,
  anySegment,
  anyValue,
  type Json,
  oddQueryValues,
  oddSegments,
  oddValues,
} from './values.ts';
import { deepBody, oddContentTypes, oddHeaders, strangeBodies } from './whole.ts';

/** A well-formed request, which an input then spoils. */
export interface WellFormed {
  readonly method: Ask['method'];
  /** Without what stands behind the last slash where that names a record. */
  readonly path: string;
  /** What names the record, percent-encoded. */
  readonly segment?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A value of the run's own that no record has, for whatever might be read as the name of one. */
  readonly own: string;
}

/** One way of spoiling a request. */
export interface Input {
  readonly told: string;
  /** The property of the body that it is about. */
  readonly subject?: string;
  /** Nothing of what the request would make can be known again by the run's own values. */
  readonly unmarked?: boolean;
  write(well: WellFormed): Ask;
  /** Inputs that are like it and smaller. */
  smaller?(): Input[];
}

/** Inputs that are tried together. */
export type Part = { readonly all: readonly Input[] } | { readonly inputs: Arbitrary<Input>; readonly number: number };

interface Allowance extends Allowing {
  /** The path may name whatever there is. */
  readonly anyRecord: boolean;
  /** Something may come of it that holds no value of the run's own. */
  readonly unmarked: boolean;
}

/** What kinds of input there are for an operation: each property and parameter by itself, then the body, the path and the head of the request. */
export function partsOf(shape: Shape, allowing: Allowance, seed: number): Part[] {
  const { body, query, path, method } = shape;
  const named = path.includes('{');
  const turn = Math.abs(seed) % 6;
  return [
    ...body.flatMap((field, index) => [
      { all: oddValues(field, allowing, turn + index).map((value) => valued(field, value, allowing)) },
      { inputs: anyValue(field).map((value) => valued(field, value, allowing)), number: 4 },
    ]),
    ...(body.length > 0 ? ofBody(body, allowing.unmarked) : []),
    ...query.flatMap((field, index) => [
      { all: oddQueryValues(field, turn + index).map((value) => queried(field, value)) },
      { inputs: anyQueryValue.map((value) => queried(field, value)), number: 4 },
    ]),
    ...(named
      ? [
          { all: oddSegments.map((segment) => segmented(segment, allowing.anyRecord)) },
          { inputs: anySegment.map((segment) => segmented(segment, allowing.anyRecord)), number: 8 },
        ]
      : []),
    ...rawQueries(query),
    { all: oddHeaders.map(headed) },
    { all: called(method, named) },
  ];
}

/** The request as it would be, with what is given in the place of its parts. */
export function written(well: WellFormed, instead: Partial<Ask> & { segment?: string; rawQuery?: string } = {}): Ask {
  const { segment = well.segment, rawQuery, ...ask } = instead;
  const { method, path, query, body } = well;
  const search = rawQuery ?? (query ? new URLSearchParams(query).toString() : '');
  const whole = path + (segment === undefined ? '' : `/${segment}`) + (search === '' ? '' : `?${search}`);
  const bodied = body === undefined || ask.method === 'GET' || ask.method === 'HEAD' ? {} : { text: JSON.stringify(body) };
  return { method, path: whole, ...bodied, odd: true, ...ask };
}

const textOf = (entries: readonly (readonly [string, Json])[]) =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
const entriesOf = ({ body = {} }: WellFormed): [string, Json][] =>
  Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [[name, JSON.stringify(value)]]));

/** Properties that name a record: a text there has something of the run's own in it, so that it is nobody's card. */
const naming = /^(code|giftCardCode|giftCardId|url|uniqueId|uniqueAdjustmentId)$/;

function valued(field: Field, value: Json, allowing: Allowance): Input {
  const { name } = field;
  const text = textIn(value);
  return {
    told: `${name} = ${excerpt(value, 60)}`,
    subject: name,
    write: (well) => {
      // An address begins with its scheme.
      const own = name === 'url' ? `${value.slice(0, -1)}${well.own}"` : `"${well.own}${value.slice(1)}`;
      const marked = text !== undefined ? own : name === 'url' && !allowing.unmarked ? `"${well.own}"` : value;
      const others = entriesOf(well).filter(([each]) => each !== name);
      return written(well, { text: textOf([...others, [name, naming.test(name) ? marked : value]]) });
    },
    smaller: () => (text === undefined ? [] : shorter(text).map((each) => valued(field, JSON.stringify(each), allowing))),
  };
}

function textIn(value: Json): string | undefined {
  return value.startsWith('"') ? (JSON.parse(value) as string) : undefined;
}

/** Halves of it, and then it without each one of its characters. */
function shorter(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  const halves = text.length > 1 ? [text.slice(0, middle), text.slice(middle)] : [];
  const single = text.length > 24 ? [text.slice(0, -1)] : [...text].map((_, index, all) => all.toSpliced(index, 1).join(''));
  return [...halves, ...single];
}

function ofBody(fields: readonly Field[], unmarked: boolean): Part[] {
  const missing = fields.map(
    ({ name }): Input => ({
      told: `no ${name}`,
      subject: name,
      write: (well) => written(well, { text: textOf(entriesOf(well).filter(([each]) => each !== name)) }),
    }),
  );
  const twice = fields.map(
    ({ name }): Input => ({
      told: `${name} twice`,
      write: (well) => {
        const same = entriesOf(well).filter(([each]) => each === name);
        return written(well, { text: textOf([...same, ...entriesOf(well), ...same]) });
      },
    }),
  );
  const more = fc.tuple(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 2 })).map(
    ([name, value]): Input => ({
      told: `one more property, ${excerpt(JSON.stringify(name), 40)}`,
      write: (well) => written(well, { text: textOf([...entriesOf(well), [`x${name}`, JSON.stringify(value)]]) }),
    }),
  );
  const wrapped = ['[*]', '{"body":*}', '\ufeff*', '*}', '*,', ' \r\n*\t', '"*', '*\u0000', '/**/*'].map(
    (around): Input => ({
      told: `the body as ${excerpt(around.replace('*', '…'), 40)}`,
      write: (well) => written(well, { text: around.replace('*', () => JSON.stringify(well.body)) }),
    }),
  );
  const many = fc.nat(3_000).map(
    (number): Input => ({
      told: `${number} properties more`,
      write: (well) =>
        written(well, {
          text: textOf([...entriesOf(well), ...Array.from({ length: number }, (_, n) => [`x${n}`, '1'] as const)]),
        }),
    }),
  );
  const cut = fc.nat(95).map(
    (percent): Input => ({
      told: `the body cut off after ${percent} %`,
      unmarked: true,
      write: (well) => {
        const whole = JSON.stringify(well.body);
        return written(well, { text: whole.slice(0, Math.floor((whole.length * percent) / 100)) });
      },
    }),
  );
  const typed = oddContentTypes.map(
    (contentType): Input => ({
      told: contentType === null ? 'no content type' : `the content type ${excerpt(JSON.stringify(contentType), 60)}`,
      write: (well) => written(well, { contentType }),
    }),
  );
  const instead = (text: string): Input => ({
    told: `the body ${excerpt(JSON.stringify(text), 40)}`,
    unmarked: true,
    write: (well) => written(well, { text }),
  });
  return [
    { all: [...missing, ...twice, ...wrapped] },
    { inputs: more, number: 6 },
    { inputs: many, number: 3 },
    { all: typed },
    // What is sent there is no card of the run's own, should one come of it.
    ...(unmarked
      ? [{ all: strangeBodies.map(instead) }, { inputs: cut, number: 10 }, { inputs: deepBody.map(instead), number: 6 }]
      : []),
  ];
}

const queried = (field: Field, value: string): Input => ({
  told: `${field.name} = ${excerpt(value, 60)} in the query`,
  write: (well) => {
    const others = new URLSearchParams(Object.entries(well.query ?? {}).filter(([name]) => name !== field.name)).toString();
    return written(well, { rawQuery: [others, `${field.name}=${value}`].filter(Boolean).join('&') });
  },
});

function rawQueries(fields: readonly Field[]): Part[] {
  const asked = (rawQuery: string): Input => ({
    told: `the query ?${excerpt(rawQuery, 60)}`,
    write: (well) => written(well, { rawQuery }),
  });
  const names = fields.length > 0 ? fields.map(({ name }) => name) : ['nonsense'];
  const texts = names.flatMap((name) => [
    `${name}=1&${name}=2`,
    `${name}`,
    `${name}=`,
    `${name}[]=1`,
    `${name}[a]=1`,
    `${name.toUpperCase()}=1`,
    `${name}=%`,
  ]);
  const odd = ['%', '&&', '=', '=&&=', '%00', '%E2%82=1', '?', 'x=%zz', '__proto__=1', 'x[__proto__]=1', ';', '+'];
  const long = fc.nat(300).map((number) => Array.from({ length: number }, (_, n) => `x${n}=1`).join('&'));
  return [{ all: [...texts, ...odd].map(asked) }, { inputs: long.map(asked), number: 2 }];
}

/** A path that may be read as the name of any record begins with one that none has, unless nobody minds. */
const segmented = (segment: string, anyRecord: boolean): Input => ({
  told: `${excerpt(segment, 60)} in the path`,
  write: (well) => written(well, { segment: anyRecord ? segment : `${well.own}${segment}` }),
});

function headed(headers: Readonly<Record<string, string>>): Input {
  const told = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { told: `the header ${excerpt(told.join(', '), 60)}`, write: (well) => written(well, { headers }) };
}

/** A wrong method; none that might delete something by the path of a look. */
function called(right: Ask['method'], named: boolean): Input[] {
  const methods = (['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
    (method) => method !== right && (method !== 'DELETE' || named),
  );
  return methods.map((method) => ({
    told: `the method ${method}`,
    write: (well) => written(well, { method, ...(named ? { segment: well.own } : {}) }),
  }));
}
