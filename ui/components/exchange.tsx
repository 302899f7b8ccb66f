import { CopyButton } from './copy-button.tsx';
import { BodyView } from './json-view.tsx';
import { StatusLabel } from './label.tsx';
import { CodeText, Facts } from './values.tsx';

type Headers = Readonly<Record<string, string>>;

export interface ExchangeProps {
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers?: Headers;
    readonly body?: string | null;
  };
  /** Null if there was no response; then `error` says why. Undefined if the response is not known. */
  readonly response: { readonly status: number; readonly headers?: Headers; readonly body: string } | null | undefined;
  readonly error?: string | null;
  readonly milliseconds?: number | null | undefined;
  /** A shell line that repeats the request. */
  readonly curl?: string | null;
  /** Said under a body of which only the beginning was kept. */
  readonly cut?: string | false;
  /** Shows bodies as text, so that numbers such as 25.00 are as they were sent. */
  readonly isExact?: boolean;
}

/** Shows a request and its response, with headers and bodies. */
export function ExchangeView({ request, response, error, milliseconds, curl, cut, isExact = false }: ExchangeProps) {
  const Body = isExact ? CodeText : BodyView;
  return (
    <div class="exchange">
      <div class="exchange-line">
        <strong class="mono">{request.method}</strong>
        <span class="mono target">{request.target}</span>
        {curl && <CopyButton text={curl} label="Copy as curl" />}
      </div>
      <HeaderList headers={request.headers} />
      {request.body ? <Body text={request.body} /> : <p class="quiet">No body</p>}
      {response !== undefined && (
        <div class="exchange-line">
          {response ? <StatusLabel status={response.status} /> : <span class="bad-text">{error ?? 'No response'}</span>}
          {milliseconds !== null && milliseconds !== undefined && (
            <span class="quiet">{Math.round(milliseconds * 10) / 10} ms</span>
          )}
        </div>
      )}
      <HeaderList headers={response?.headers} />
      {response && (response.body === '' ? <p class="quiet">No body</p> : <Body text={response.body} />)}
      {cut && <p class="quiet">{cut}</p>}
    </div>
  );
}

function HeaderList({ headers = {} }: { readonly headers?: Headers | undefined }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <details class="headers mono">
      <summary>Headers ({entries.length})</summary>
      <Facts of={headers} />
    </details>
  );
}
