import { jsonEscapes } from '../../openapi/input/text.ts';
import type { Exchange } from '../http/exchange.ts';
import { curlOfExchange } from './curl.ts';
import type { Document, ReportItem } from './document.ts';
import { visible } from './escape.ts';

/** The data of a page. `ui/report` renders the page in the browser. */
export interface PageData {
  /** A page with several documents compares them. */
  readonly documents: readonly DocumentInPage[];
  /** Each exchange once, because items share exchanges. */
  readonly exchanges: readonly ExchangeInPage[];
}

export type DocumentInPage = Omit<Document, 'groups'> & {
  /** What distinguishes the document from the others: the part of its file's path. Only for several documents. */
  readonly name: string;
  readonly groups: readonly { readonly heading: string; readonly items: readonly ItemInPage[] }[];
};

/** An item whose exchanges are indexes into the page's exchanges. */
export type ItemInPage = Omit<ReportItem, 'exchanges'> & { readonly exchanges: readonly number[] };

export type ExchangeInPage = Exchange & { readonly curl: string };

/** Properties whose control characters the page escapes after it has indented the JSON. */
const bodies = ['body', 'requestBody'];

/** Returns the data of a page as JSON. No text ends the script, controls a terminal or changes the direction of reading. */
export function pageText(documents: readonly Document[], names: readonly string[]): string {
  const json = JSON.stringify(pageData(documents, names), (key, value) =>
    typeof value === 'string' && !bodies.includes(key) ? visible(value) : value,
  );
  return json.replace(/[<\p{Cf}]/gu, jsonEscapes);
}

function pageData(documents: readonly Document[], names: readonly string[]): PageData {
  const exchanges = new Map<string, { index: number; exchange: ExchangeInPage }>();
  const indexOf = (exchange: Exchange, target: string): number => {
    const key = JSON.stringify([target, exchange]);
    const known = exchanges.get(key) ?? {
      index: exchanges.size,
      exchange: { ...exchange, curl: curlOfExchange(exchange, target) },
    };
    exchanges.set(key, known);
    return known.index;
  };
  const isShort = ({ outcome, status }: ReportItem) =>
    documents.length > 1 && outcome !== 'failure' && outcome !== 'error' && status !== 'fail';
  const inPage = documents.map((document, index) => ({
    ...document,
    name: names[index] ?? '',
    groups: document.groups.map(({ heading, items }) => ({
      heading,
      items: items.map((item) => ({
        ...item,
        ...(isShort(item) ? { details: [] } : {}),
        exchanges: isShort(item) ? [] : item.exchanges.map((exchange) => indexOf(exchange, document.target)),
      })),
    })),
  }));
  return { documents: inPage, exchanges: [...exchanges.values()].map(({ exchange }) => exchange) };
}
