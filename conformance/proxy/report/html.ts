import type { RunResult } from '../../core/result.ts';
import { escaped } from '../../report/escape.ts';
import { exchangeDetails } from '../../report/html/exchanges.ts';
import { countOf, type Watched } from '../watched.ts';
import {
  called,
  factsTold,
  type Group,
  grouped,
  headlineOf,
  isContradicted,
  meant,
  moreTold,
  notSeen,
  outcomeOf,
  timesTold,
} from './told.ts';

/** The top of the page: what was watched and comes to, and a section for each kind of finding, with what passed. */
export function watchedOverview(result: RunResult, watched: Watched): string {
  const { good, doubts, says } = outcomeOf(result, watched);
  const facts = factsTold(watched);
  const rows = facts?.rows.map((row) => `<li>${escaped(row)}</li>`).join('') ?? '';
  return `<p class="eyebrow">Gift card service, watched through a proxy · ${escaped(result.target)}</p>
<h1${doubts ? '' : ` class="${good ? 'good' : 'bad'}"`}>${escaped(says)}</h1>
<p class="headline">${escaped(headlineOf(result, watched))}</p>
${facts ? `<p class="${isContradicted(watched) ? 'alarm' : 'headline'}">${escaped(facts.sentence)}</p>${rows === '' ? '' : `<ul>${rows}</ul>`}\n` : ''}${kindSections(result, watched)}
`;
}

function kindSections(result: RunResult, watched: Watched): string {
  return grouped(result)
    .map(
      ({ kind, groups }) => `<section><h2>${called[kind]}<small>${countOf(watched, kind)}</small></h2>
<p class="headline">${escaped(meant[kind])}</p>
${groups.map((group) => groupDetails(group, watched)).join('')}</section>`,
    )
    .join('\n');
}

function groupDetails({ clause, shown, more }: Group, { exchanges }: Watched): string {
  const head = clause
    ? `<p><a class="name" href="#${escaped(clause.name)}">${escaped(clause.name)}</a> <span class="level">${clause.level} · ${escaped(clause.from.join('; '))}</span><br>${escaped(clause.text)}</p>\n`
    : '';
  const told = shown.map(({ what, times, exchanges: numbers }) => {
    const passed = numbers.flatMap((n) => {
      const found = exchanges.find((each) => each.n === n);
      return found ? [exchangeDetails(found, { number: `#${n} ` })] : [];
    });
    return `<div class="exchanges"><p>${escaped(what)}${timesTold(times)}</p>${passed.join('')}</div>\n`;
  });
  return `<div class="run">${head}${told.join('')}${more > 0 ? `<p>${moreTold(more)}</p>` : ''}</div>\n`;
}

/** How traffic was watched, as label and text. */
export function watchedSetup(result: RunResult, { onlyClient }: Watched): [label: string, text: string][] {
  const seconds = (Date.parse(result.finishedAt) - Date.parse(result.startedAt)) / 1_000;
  return [
    ['Target', result.target],
    ['Suite', result.suite],
    ['Watched', `from ${result.startedAt}, for ${seconds.toFixed(1)} s`],
    ['Who else acts', onlyClient ? 'nobody, as was said with --only-client' : 'perhaps others'],
    ['Sent by the proxy', 'nothing of its own'],
    ['Not seen', notSeen],
  ];
}
