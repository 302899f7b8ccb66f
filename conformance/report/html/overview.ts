import { counted } from '../../core/counted.ts';
import { neverAnswered } from '../../core/endpoints.ts';
import type { RunResult } from '../../core/result.ts';
import { watchedOverview, watchedSetup } from '../../proxy/report/html.ts';
import { type Cause, causesOf } from '../causes.ts';
import { escaped } from '../escape.ts';
import { headline, interruptedTold, levelCounts, outcome, verdicts } from '../headline.ts';
import { letterOf } from '../matrix.ts';
import { leftBehind } from '../text.ts';

/** The top of the page: what the run came to and how it was set up; of several runs, a table of them. */
export function overview(results: readonly RunResult[]): string {
  const [only, ...others] = results;
  if (!only || others.length > 0) return several(results);
  if (only.watched) return watchedOverview(only, only.watched) + setup(only);
  const { good, says } = outcome(only);
  return `<p class="eyebrow">Gift card service, held against its specification · ${escaped(only.target)}</p>
<h1 class="${good ? 'good' : 'bad'}">${escaped(says)}</h1>
<p class="headline">${escaped(headline(only))}</p>
${alarms(only)}
${violated(only)}<ul class="levels">${levels(only)}</ul>
${setup(only)}`;
}

function several(results: readonly RunResult[]): string {
  const rows = results.map((result, index) => {
    const { good, says } = outcome(result);
    return `<tr><th scope="row">${letterOf(index)}</th><td>${escaped(result.target)}</td><td><span class="badge ${good ? 'pass' : 'fail'}">${escaped(says)}</span></td><td>${escaped(headline(result))}</td></tr>`;
  });
  return `<p class="eyebrow">Gift card service, held against its specification</p>
<h1>${results.length} runs</h1>
<div class="runs"><table><thead><tr><th scope="col">Run</th><th scope="col">Target</th><th scope="col">Outcome</th><th scope="col">Found</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></div>
${results.map((result, index) => alarms(result, `${letterOf(index)}: `)).join('')}${results.map((result, index) => `${setup(result, `${letterOf(index)}: `)}`).join('')}`;
}

function alarms(result: RunResult, prefix = ''): string {
  const stale = result.staleBaseline.map((name) => `The baseline calls ${name} violated, and it holds: take it out.`);
  const left = leftBehind(result).map((sentence) => `Left behind: ${sentence}`);
  return [interruptedTold(result), left, stale]
    .map((all) => (all.length === 0 ? '' : `<p class="alarm">${all.map((each) => escaped(prefix + each)).join('<br>')}</p>`))
    .join('\n');
}

/** What somebody opens the page for, as links into it, by what stood in the way; endpoints that never succeeded first. */
function violated(result: RunResult): string {
  const failing = neverAnswered(result);
  const links = ({ clauses }: Cause) =>
    clauses.map(({ name }) => `<li><a class="name" href="#${escaped(name)}">${escaped(name)}</a></li>`).join('');
  const causes = causesOf(
    result.clauses.filter(({ verdict }) => verdict === 'fail'),
    failing,
  );
  const alone = causes.filter(({ clauses }) => clauses.length === 1);
  const several = causes
    .filter(({ clauses }) => clauses.length > 1)
    .map(
      (cause) =>
        `<p class="cause">${cause.clauses.length} clauses: ${escaped(cause.says)}</p><ul class="violated">${links(cause)}</ul>\n`,
    );
  const never = failing.map(({ named, statuses, clauses }) => `${named}: ${statuses.join(', ')} (${counted(clauses, 'clause')})`);
  return [
    ...(never.length > 0 ? [`<p class="alarm">Never answered with success: ${escaped(never.join(' · '))}</p>\n`] : []),
    ...(alone.length > 0 ? [`<ul class="violated">${alone.map(links).join('')}</ul>\n`] : []),
    ...several,
  ].join('');
}

function levels(result: RunResult): string {
  return levelCounts(result)
    .map((told) => {
      const [level = '', ...rest] = told.split(' ');
      const clauses = result.clauses.filter((clause) => clause.level === level);
      let x = 0;
      const parts = verdicts.toReversed().map((verdict) => {
        const width = (100 * clauses.filter((clause) => clause.verdict === verdict).length) / clauses.length;
        x += width;
        return width > 0 ? `<rect class="${verdict}" x="${(x - width).toFixed(2)}" width="${width.toFixed(2)}" height="1"/>` : '';
      });
      return `<li><b>${level}</b>${rest.join(' ')}<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${parts.join('')}</svg></li>`;
    })
    .join('');
}

function setup(result: RunResult, prefix = ''): string {
  const rows = result.watched ? watchedSetup(result, result.watched) : runSetup(result);
  return `<details class="setup"${prefix === '' ? ' open' : ''}><summary>${prefix}How it was run</summary><dl>${rows.map(([label, text]) => `<dt>${label}</dt><dd>${escaped(text)}</dd>`).join('')}</dl></details>
`;
}

function runSetup(result: RunResult): [label: string, text: string][] {
  const { again, profile, ratePerMinute } = result.configuration;
  const seconds = (Date.parse(result.finishedAt) - Date.parse(result.startedAt)) / 1_000;
  return [
    ['Target', result.target],
    ['Suite', result.suite],
    ['Started', `${result.startedAt}, took ${seconds.toFixed(1)} s`],
    ['One clause again', `${again} CLAUSE`],
    ['Profile gives', profile.join(', ') || 'nothing'],
    ['Mode', result.mode],
    ['Did on the target', spentTold(result)],
    ['Rate', ratePerMinute === undefined ? 'as fast as the target answers' : `at most ${ratePerMinute} a minute`],
  ];
}

function spentTold({ spent }: RunResult): string {
  const { requests, creates, faceValue, voids, adjustments, emails, webhooks, events, coupons } = spent;
  const all: [number, string, string?][] = [
    [requests, 'request'],
    [creates, 'card', ` created (${faceValue.toFixed(2)} in all)`],
    [voids, 'void'],
    [adjustments, 'adjustment'],
    [emails, 'email'],
    [webhooks, 'webhook', ' registered'],
    [events, 'automation event'],
    [coupons, 'coupon'],
  ];
  return all.flatMap(([number, what, how = '']) => (number > 0 ? [counted(number, what) + how] : [])).join(', ') || 'nothing';
}
