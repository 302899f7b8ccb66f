import { applyEdits, format } from 'jsonc-parser';
import { useState } from 'preact/hooks';
import type { ExchangeInPage } from '../../conformance/report/page-data.ts';
import { ExchangeView } from '../components/exchange.tsx';
import { parsedJson } from '../components/json-view.tsx';
import { StatusLabel } from '../components/label.tsx';
import { Sequence } from '../components/sequence.tsx';

/** Number of exchanges before the decisive one that are shown at first. */
const shownBefore = 9;

const isDelivery = ({ elsewhere }: ExchangeInPage): boolean => elsewhere === '«receiver»';

interface ExchangesProps {
  readonly exchanges: readonly ExchangeInPage[];
  readonly decidedBy: number | undefined;
}

/** Shows the requests with their responses, and the deliveries, in the order of time. */
export function Exchanges({ exchanges, decidedBy }: ExchangesProps) {
  const inOrder = exchanges.map((exchange, index) => ({ exchange, isDecisive: index === decidedBy }));
  const hasBoth = new Set(exchanges.map(isDelivery)).size > 1;
  if (hasBoth) inOrder.sort((one, other) => one.exchange.at.localeCompare(other.exchange.at));
  const decisive = inOrder.findIndex(({ isDecisive }) => isDecisive);
  const [first, setFirst] = useState(Math.max((decisive < 0 ? inOrder.length - 1 : decisive) - shownBefore, 0));
  const steps = inOrder.slice(first).map(({ exchange, isDecisive }) => ({
    ...(isDelivery(exchange) ? { from: 'Service', to: 'Receiver' } : { from: 'Client', to: 'Service' }),
    what: <ExchangeStep exchange={exchange} isOpenAtFirst={isDecisive || exchanges.length <= 2} />,
    tone: isDecisive ? ('bad' as const) : ('quiet' as const),
  }));
  return (
    <>
      {first > 0 && (
        <button type="button" class="small" onClick={() => setFirst(0)}>
          Show {first} earlier
        </button>
      )}
      <Sequence lanes={['Client', 'Service', ...(exchanges.some(isDelivery) ? ['Receiver'] : [])]} steps={steps} />
    </>
  );
}

function ExchangeStep({ exchange, isOpenAtFirst }: { readonly exchange: ExchangeInPage; readonly isOpenAtFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { method, elsewhere = '', path, requestHeaders, requestBody = '', status, contentType, body, ms, curl, at } = exchange;
  const wasReceived = isDelivery(exchange);
  const response = { status, headers: { 'content-type': contentType }, body: readableBody(body) };
  return (
    <details class="step" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="mono">
          {wasReceived ? `Delivery ${/giftcard\/\w+/.exec(requestBody)?.[0] ?? ''}` : `${method} ${elsewhere}${path}`}
        </span>{' '}
        {!wasReceived && <StatusLabel status={status === 0 ? 'no response' : status} />}{' '}
        <time dateTime={at} class="quiet" title={at}>
          {wasReceived ? at.slice(11, 23) : `${ms} ms`}
        </time>
      </summary>
      {isOpen && (
        <ExchangeView
          request={{ method, target: elsewhere + path, headers: requestHeaders, body: readableBody(requestBody) }}
          response={wasReceived ? undefined : status === 0 ? null : response}
          curl={curl}
          isExact
        />
      )}
    </details>
  );
}

/** A pseudonym in place of a value that is not a text, such as card#3.id. */
const bare = /(?<=[[:,]\s*)([a-z]+#\d+[.\w]*|«[^»"]*»)(?=\s*[,\]}])/g;

/**
 * Indents JSON without changes to its tokens: 25.00 stays 25.00, and a repeated property stays repeated. In every text, escapes characters that
 * control a terminal or change the direction of reading.
 */
export function readableBody(text: string): string {
  const quoted = text.replace(bare, '"\uE000$1"');
  const isJson = typeof parsedJson(quoted) === 'object';
  const edits = isJson ? format(quoted, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }) : [];
  const indented = applyEdits(quoted, edits).replace(/"\uE000([^"]*)"/g, '$1');
  return indented.replace(/[\p{Cc}\p{Cf}]/gu, (c) => (c === '\n' ? c : `\\u${c.codePointAt(0)?.toString(16).padStart(4, '0')}`));
}
