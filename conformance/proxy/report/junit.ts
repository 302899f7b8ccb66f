import type { ClauseResult, RunResult } from '../../core/result.ts';
import type { Case, Suite } from '../../report/junit.ts';
import { bySection } from '../../report/sections.ts';
import type { Kind } from '../finding.ts';
import { heldOf, type Watched } from '../watched.ts';
import {
  called,
  factsTold,
  type Group,
  grouped,
  groupText,
  headlineOf,
  meant,
  notSeen,
  numbered,
  outcomeOf,
  timesTold,
} from './told.ts';

/**
 * For CI tools: a case for each clause that held or was violated, by section, and a suite for each other kind of finding with a case each, which is skipped, since no
 * CI tool knows what is neither good nor bad.
 */
export function watchedSuites(result: RunResult, watched: Watched, prefix: string): Suite[] {
  const at = result.startedAt.replace(/(\.\d+)?Z$/, '');
  const found = grouped(result);
  const violations = new Map(
    found.flatMap(({ kind, groups }) => (kind === 'violated' ? groups.map((group) => [group.clause?.name, group] as const) : [])),
  );
  const held = new Map(watched.held.map(({ clause, times }) => [clause, times]));
  const sound = new Set(heldOf(result));
  const judged = result.clauses.filter((clause) => violations.has(clause.name) || sound.has(clause));
  const caseOf = ({ name, text, got = '' }: ClauseResult): Case => {
    const group = violations.get(name);
    const out = `${text}\nheld ${held.get(name) ?? 0}×`;
    return { name, ms: 0, ...(group ? { failure: { message: got, text: groupText(group, watched) } } : {}), out };
  };
  const sections = bySection(judged).map(({ heading, clauses }) => ({ name: prefix + heading, at, cases: clauses.map(caseOf) }));
  const others = found.flatMap(({ kind, groups }) =>
    kind === 'violated'
      ? []
      : [{ name: prefix + called[kind], at, cases: groups.flatMap((group) => casesOf(kind, group, watched)) }],
  );
  return [
    ...sections,
    ...others,
    { name: `${prefix}What passed`, at, cases: ofTheWhole(result, watched), out: headlineOf(result, watched) },
  ];
}

/** One for each finding, so that none is behind another. */
function casesOf(kind: Kind, { clause, shown, more }: Group, watched: Watched): Case[] {
  const cases = shown.map((finding): Case => {
    const what = `${finding.what}${timesTold(finding.times)}`;
    return {
      name: `${clause?.name ?? ''} ${numbered(finding.exchanges)}`.trim(),
      ms: 0,
      skipped: `${called[kind].toLowerCase()}: ${what}`,
      out: `${meant[kind]}\n${groupText({ clause, shown: [finding], more: 0 }, watched)}`,
    };
  });
  return more === 0
    ? cases
    : [...cases, { name: `${clause?.name ?? ''} and ${more} more`.trim(), ms: 0, skipped: 'see results.json' }];
}

function ofTheWhole(result: RunResult, watched: Watched): Case[] {
  const { good, says } = outcomeOf(result, watched);
  const hasViolation = watched.findings.some(({ kind }) => kind === 'violated');
  const facts = factsTold(watched);
  return [
    {
      name: 'something was judged',
      ms: 0,
      out: notSeen,
      ...(good || hasViolation ? {} : { error: { message: says, text: says } }),
    },
    ...(facts ? [{ name: 'the facts file', ms: 0, skipped: facts.sentence, out: facts.rows.join('\n') }] : []),
  ];
}
