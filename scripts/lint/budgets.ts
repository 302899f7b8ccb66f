/** What `npm run size` and `npm run lint` hold the project to. A ceiling is what lint refuses today; it falls, until it is the budget. */
export interface Budget {
  readonly budget: number;
  readonly ceiling: number;
}

/** Lines of TypeScript, tsx, css and mjs, without tests and generated files; fixtures and testing/ count. */
export const lines: Readonly<Record<string, Budget>> = {
  openapi: { budget: 1_500, ceiling: 1_760 },
  mock: { budget: 12_000, ceiling: 14_300 },
  conformance: { budget: 18_000, ceiling: 23_100 },
  'command-line': { budget: 250, ceiling: 450 },
  scripts: { budget: 3_500, ceiling: 4_250 },
};
export const allLines: Budget = { budget: 35_000, ceiling: 43_900 };
export const allFiles: Budget = { budget: 450, ceiling: 580 };
export const longestFile: Budget = { budget: 250, ceiling: 265 };

/** Uses of words to avoid, by top folder; `.` is the root. */
export const words: Readonly<Record<string, number>> = {
  '.': 0,
  'command-line': 0,
  conformance: 180,
  mock: 375,
  openapi: 0,
  recipes: 1,
  scripts: 20,
};

/** Right uses of words to avoid: text that contains one of these is not refused. */
export const allowedWords: readonly string[] = ['- Renamed clauses:'];
