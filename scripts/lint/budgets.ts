/** Budgets in lines of TypeScript, tsx, css and mjs, by folder. A file counts only in the last folder that contains the file. Tests and generated files do not count; fixtures and testing/ do. */
export const lines: Readonly<Record<string, number>> = {
  openapi: 1_565,
  // The client and the entries for test runners are a part of it.
  mock: 11_899,
  // The server side of the dashboard: pages, event stream, sign-in, page of a card.
  'mock/dashboard': 401,
  // With snapshots.
  'mock/store': 1_689,
  conformance: 17_107,
  'conformance/testing/reference-server/faults': 1_873,
  // The program, the commands of the mock and of the suite, and what they share.
  cli: 2_817,
  // The dashboard has about 5,110, and the pages of reports 900. A quarter is styles, with one declaration on each line.
  ui: 6_028,
  // With the long checks and what their tests share. The one table of shared flags in docs/cli.md cost 28 lines.
  scripts: 4_791,
};
/** 48,250 when the harness of tests was counted for the first time, and 47,380 before the work on faults and security, which may add 400: 568 must go again. */
export const allLines = 48_348;
export const allFiles = 557;
export const longestFile = 250;

/** Correct uses of words that are otherwise refused. A line with one of these texts is not checked. */
export const allowedWords: readonly string[] = [];
