import { useState } from 'preact/hooks';

/** Copies a text, and says so for a second and a half. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [said, setSaid] = useState<string>();
  const copy = async () => {
    setSaid((await isCopied(text)) ? 'Copied' : 'Not copied');
    setTimeout(() => setSaid(undefined), 1500);
  };
  return (
    <button type="button" class="small" onClick={copy}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}

/** A page of another machine without HTTPS has no clipboard object, so the text is selected and copied by the browser's command. */
async function isCopied(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}
