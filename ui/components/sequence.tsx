import type { ComponentChildren } from 'preact';
import type { Tone } from './label.tsx';

export interface Step {
  /** The lane at which the arrow starts. */
  readonly from: string;
  /** The lane at which the arrow ends. An equal lane shows a point. */
  readonly to: string;
  readonly what: ComponentChildren;
  /** The result, in the color of `tone`. */
  readonly outcome?: ComponentChildren;
  readonly tone?: Tone;
  /** The time, such as "11:12:31" or "+7 ms". */
  readonly time?: ComponentChildren;
  /** Dashed: a response, or something that was not sent. */
  readonly dashed?: boolean;
}

/** A picture of what led to what: a column for each lane, an arrow for each step, in the order of time. */
export function Sequence({ lanes, steps }: { readonly lanes: readonly string[]; readonly steps: readonly Step[] }) {
  return (
    <div class="sequence" style={{ '--lanes': String(lanes.length) }}>
      <div class="lane-names" aria-hidden="true">
        {lanes.map((lane) => (
          <span key={lane}>{lane}</span>
        ))}
      </div>
      <ol>
        {steps.map((step, index) => (
          <SequenceStep key={index} lanes={lanes} {...step} />
        ))}
      </ol>
    </div>
  );
}

interface SequenceStepProps extends Step {
  readonly lanes: readonly string[];
}

function SequenceStep({ from, to, what, outcome, tone = 'quiet', time, dashed, lanes }: SequenceStepProps) {
  const [start, end] = [lanes.indexOf(from), lanes.indexOf(to)];
  const [left, right] = [Math.min(start, end), Math.max(start, end)];
  const direction = start === end ? 'point' : end > start ? 'right' : 'left';
  // The text begins where the arrow begins. At the last lane, which has little room after it, the text ends before the point.
  const isBefore = left > 0 && left === lanes.length - 1;
  return (
    <li>
      <div class={isBefore ? 'step-text before' : 'step-text'} style={{ '--skip': String(left) }}>
        <span class="visually-hidden">{start === end ? `${from}: ` : `${from} to ${to}: `}</span>
        {what}
        {outcome !== undefined && <span class={`outcome ${tone}`}> {outcome}</span>}
        {time !== undefined && <span class="quiet"> {time}</span>}
      </div>
      <div
        class={`arrow ${direction} ${tone} ${dashed ? 'dashed' : ''}`}
        style={{ '--left': String(left), '--span': String(right - left) }}
        aria-hidden="true"
      />
    </li>
  );
}
