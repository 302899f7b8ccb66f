import { clauseTexts } from '../../core/contract.ts';
import { cardsCounted, counted } from '../../core/counted.ts';
import { printable } from '../../http/excerpt.ts';
import type { Walked } from './walk.ts';

/** What a walk says in the end; `again` is the command that tells the story found once more. */
interface About {
  readonly target: string;
  readonly seed: number;
  readonly steps: number;
  readonly again: string;
}

export function asText(walked: Walked, { target, seed, steps, again }: About): string {
  const { found, stories, shorter, requests, interrupted } = walked;
  const cost = `${counted(requests, 'request')} · ${cardsCounted(walked)}`;
  const head = `${counted(stories, 'story', 'stories')} of up to ${steps} steps, from seed ${seed}, told to ${target}`;
  const lines = found
    ? [
        stories === 1 ? 'It contradicts the specification.' : 'The last contradicts the specification.',
        ...(shorter > 0
          ? [`After it ${counted(shorter, 'shorter one was', 'shorter ones were')} tried. The shortest that contradicts it:`]
          : []),
        '',
        ...(found.steps.length === 0 ? ['  Before any step, when all cards are listed:'] : []),
        ...found.steps.map((step, index) => `  ${String(index + 1).padStart(2)}. ${step}`),
        '',
        `  Expected  ${found.expected}`,
        `  Got       ${found.got}`,
        ...(found.clause === undefined ? [] : [`  Clause    ${found.clause}: ${clauseTexts.get(found.clause)?.text ?? ''}`]),
        `  Again     ${again} --path ${found.path}`,
        '',
      ]
    : [
        !isBrokenOff(walked)
          ? stories > 0
            ? 'Nothing contradicts the specification.'
            : 'No story stands there. A --path leads to one only with the --seed and the --steps of the walk that printed it.'
          : 'Nothing contradicted the specification until then.',
      ];
  const brokenOff = interrupted ? ['Broken off; what was not told shows nothing.'] : [];
  return `${[...brokenOff, head, ...lines, cost, ...brokenOff].map(printable).join('\n')}\n`;
}

export function asJson(walked: Walked, { again, ...about }: About): string {
  const { found, trouble: _, interrupted: __, ...counts } = walked;
  const story = found && {
    ...found,
    ...(found.clause === undefined ? {} : { text: clauseTexts.get(found.clause)?.text }),
    again: `${again} --path ${found.path}`,
  };
  return `${JSON.stringify({ ...about, ...counts, brokenOff: isBrokenOff(walked), story: story ?? null }, undefined, 2)}\n`;
}

const isBrokenOff = ({ trouble, cleanupFault, interrupted }: Walked): boolean =>
  trouble !== undefined || cleanupFault !== undefined || interrupted;
