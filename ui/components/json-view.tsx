import { useState } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';
import { CodeText } from './values.tsx';

interface JsonViewProps {
  readonly value: unknown;
  /** The number of open levels. Default: 2. */
  readonly open?: number;
}

/** Shows a JSON value, foldable by level. */
export function JsonView({ value, open = 2 }: JsonViewProps) {
  return (
    <div class="code-box">
      <CopyButton text={JSON.stringify(value, null, 2)} />
      <div class="json">
        <JsonNode value={value} levels={open} />
      </div>
    </div>
  );
}

/** Shows a body: as JSON if it is JSON, otherwise as text. */
export function BodyView({ text }: { readonly text: string }) {
  const value = parsed(text);
  if (value !== undefined) return <JsonView value={value} />;
  return <CodeText text={text} />;
}

function parsed(text: string): unknown {
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
  const [isOpen, setOpen] = useState(levels > 0);
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
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {key}
        {start}
        {!isOpen && (
          <span class="quiet">
            {' '}
            {entries.length} {end}
          </span>
        )}
      </summary>
      {isOpen &&
        entries.map(([each, inner]) => (
          <JsonNode key={each} name={isList ? undefined : each} value={inner} levels={levels - 1} />
        ))}
      {isOpen && <div class="json-end">{end}</div>}
    </details>
  );
}
