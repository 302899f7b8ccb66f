import { CopyButton } from './copy-button.tsx';
import { CodeText } from './values.tsx';

/** Shows a JSON value, foldable by level. Two levels are open. */
export function JsonView({ value }: { readonly value: unknown }) {
  return (
    <div class="code-box">
      <CopyButton text={JSON.stringify(value, null, 2)} />
      <div class="json">
        <JsonNode value={value} levels={2} />
      </div>
    </div>
  );
}

/** Shows a body: as JSON if it is JSON, otherwise as text. */
export function BodyView({ text }: { readonly text: string }) {
  const value = parsedJson(text);
  if (value !== undefined) return <JsonView value={value} />;
  return <CodeText text={text} />;
}

/** Returns the value of a JSON text; undefined for another text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface JsonNodeProps {
  readonly name?: string | undefined;
  readonly value: unknown;
  readonly levels: number;
}

function JsonNode({ name, value, levels }: JsonNodeProps) {
  const key = name !== undefined && <span class="json-key">{name}: </span>;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return (
      <div>
        {key}
        <span class={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
      </div>
    );
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const [start, end] = isList ? '[]' : '{}';
  return (
    <details open={levels > 0}>
      <summary>
        {key}
        {start}{' '}
        <span class="quiet">
          {entries.length} {end}
        </span>
      </summary>
      {entries.map(([each, inner]) => (
        <JsonNode key={each} name={isList ? undefined : each} value={inner} levels={levels - 1} />
      ))}
      <div class="json-end">{end}</div>
    </details>
  );
}
