import { clauseTexts } from '../core/contract.ts';
import { cardsCounted, counted } from '../core/counted.ts';
import { printable } from '../http/excerpt.ts';
import type { FailingSequence, FuzzResult } from './fuzz.ts';

/** The settings of a run, for its report. */
interface FuzzSettings {
  readonly target: string;
  readonly seed: number;
  readonly steps: number;
  /** The command that runs the failing sequence again, without its path. */
  readonly again: string;
}

/** The report as text, with its last line. */
export function fuzzText(result: FuzzResult, { target, seed, steps, again }: FuzzSettings): string {
  const { failing, sequences, requests, interrupted } = result;
  const interruption = interrupted ? ['Interrupted: the sequences that did not run show nothing.'] : [];
  const lines = [
    ...interruption,
    `${counted(sequences, 'sequence')} of up to ${steps} steps, seed ${seed}, target ${target}`,
    ...(failing ? failureLines(failing, result, again) : [successLine(result)]),
    `${counted(requests, 'request')} · ${cardsCounted(result)}`,
    ...interruption,
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

function failureLines({ requests, what, clause, path }: FailingSequence, { shorter }: FuzzResult, again: string): string[] {
  return [
    `The last sequence contradicts the specification.${shorter > 0 ? ` The shortest of ${counted(shorter, 'shorter one')} that does:` : ''}`,
    '',
    ...requests.map((line, index) => `  ${String(index + 1).padStart(2)}. ${line}`),
    '',
    `  Found   ${what}`,
    ...(clause === undefined ? [] : [`  Clause  ${clause}: ${clauseTexts.get(clause)?.text ?? ''}`]),
    `  Again   ${again} --path ${path}`,
    '',
  ];
}

function successLine(result: FuzzResult): string {
  if (endedEarly(result)) return 'Nothing contradicted the specification until the run ended early.';
  if (result.sequences > 0) return 'Nothing contradicts the specification.';
  return 'No sequence has this --path. Use the --seed and --steps of the run that printed it.';
}

export function fuzzJson(result: FuzzResult, { again, ...settings }: FuzzSettings): string {
  const { failing, trouble: _, interrupted: __, ...counts } = result;
  const sequence = failing && {
    ...failing,
    ...(failing.clause === undefined ? {} : { text: clauseTexts.get(failing.clause)?.text }),
    again: `${again} --path ${failing.path}`,
  };
  const report = { ...settings, ...counts, endedEarly: endedEarly(result), failing: sequence ?? null };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

const endedEarly = ({ trouble, cleanupFault, interrupted }: FuzzResult): boolean =>
  trouble !== undefined || cleanupFault !== undefined || interrupted;
