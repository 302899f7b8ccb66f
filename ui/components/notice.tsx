import type { ComponentChildren } from 'preact';

interface NoticeProps {
  readonly tone: 'good' | 'bad' | 'info';
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

/** Says what happened, where it happened. */
export function Notice({ tone, onClose, children }: NoticeProps) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <div>{children}</div>
      {onClose && (
        <button type="button" class="small plain" onClick={onClose}>
          Close
        </button>
      )}
    </div>
  );
}
