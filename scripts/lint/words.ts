/** Words that comments, strings and documents must not contain, each with a replacement. */
const REPLACEMENTS: readonly (readonly [pattern: string, write: string])[] = [
  ['clauses?', 'rule, question, expectation'],
  ['(?<!to the )answer(?:s|ed|ing)?|repl(?:y|ies|ied)', 'response; responds, returns; behavior'],
  ['told|tells?', 'reported, prints, logs, returns, shows'],
  ['(?:held|holds) against', 'checked against'],
  ['judged?', 'tested, checked; "the suite"'],
  ['stands?', 'is, appears'],
  ['beside', 'next to, in addition to, as well as'],
  ['nobody|somebody|everybody|whoever', 'the caller, user, client or process'],
  ['whatever|wherever|whichever', 'the case'],
  ['(?<!there )(?:is|are) no (?!more\\b|longer\\b|later\\b|earlier\\b|less\\b)[a-z]+|none of ours', 'is not a X'],
  ['the way of', 'the path of; prevents'],
  ['(?:comes|becomes) of', 'results in, happens to'],
  ['tak(?:en?|es|ing) away', 'void, clean up'],
  ['leave aside|put right|left alone', 'ignore, correct, unchanged'],
  ['lets through|lets it', 'allows'],
  ['a moment|a while', 'the time (with its unit), the delay'],
  ['(?<=^|[.;:,\'"] |\\* |// )(?:of|by|at) which', 'two sentences'],
];

const AVOIDED = REPLACEMENTS.map(([pattern, write]) => ({ regExp: new RegExp(`\\b(?:${pattern})\\b`, 'gi'), write }));

interface AvoidedWord {
  readonly line: number;
  readonly word: string;
  readonly write: string;
}

/**
 * Finds words to avoid in the comments and strings of a TypeScript file, or in the whole text of a page or document. Ignores lines that contain
 * one of `allowed`.
 */
export function avoidedWords(path: string, text: string, allowed: readonly string[]): AvoidedWord[] {
  return text.split('\n').flatMap((line, index) => {
    if (allowed.some((use) => line.includes(use))) return [];
    const prose = path.endsWith('.ts') ? proseOf(line) : line;
    return AVOIDED.flatMap(({ regExp, write }) =>
      Array.from(prose.matchAll(regExp), ([word]) => ({ line: index + 1, word, write })),
    );
  });
}

/** Returns the part of a line of code that is a comment or a string. */
function proseOf(line: string): string {
  if (/^\s*(\*|\/\*|\/\/)/.test(line)) return line;
  const comment = /(?:\/\*|\s\/\/)(.*)$/.exec(line)?.[1] ?? '';
  const strings = line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`?/g) ?? [];
  return [...strings.map((text) => text.replace(/\$\{[^}]*\}/g, ' | ')), comment].join(' | ');
}

/** Reports whether a file is checked. Specifications, licences and generated files are not checked: their words are not ours. */
export const isChecked = (path: string): boolean =>
  /\.(ts|tsx|css|md|yaml)$/.test(path) && !/(^|\/)(generated|fixtures)\/|^scripts\/lint\/|^node_modules\//.test(path);
