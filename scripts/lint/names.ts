/** Names that several files may export, each with the reason. At most 20. */
const repeatedNames: Readonly<Record<string, string>> = {
  Account: 'the account in the mock, and what a test holds of it',
  Clock: 'the clock of an account, and what a test holds of it',
  Deliveries: 'the deliveries of an account, and what a test holds of them',
  formats: 'the formats of a folder with schemas, which the generated validators import by this name',
  Outbox: 'the emails of an account, and what a test holds of them',
  Sandbox: 'the running mock, and what a test holds of it',
  setupSandbox: 'an entry for vitest, and one for Jest; users import either',
};

const DECLARATION = /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
const isChecked = (path: string) =>
  /\.tsx?$/.test(path) && !/\.test\.tsx?$|\.d\.ts$|(^|\/)(generated|recipes|templates|api-report)\//.test(path);

/** Returns a sentence for each name that several files export, and for each entry of `allowed` that is not needed. A name should mean one thing in the project. */
export function nameProblems(
  files: readonly { readonly path: string; readonly text: string }[],
  allowed: Readonly<Record<string, string>> = repeatedNames,
): string[] {
  const exporters = new Map<string, Set<string>>();
  for (const { path, text } of files.filter(({ path }) => isChecked(path)))
    for (const [, name = ''] of text.matchAll(DECLARATION)) exporters.set(name, (exporters.get(name) ?? new Set()).add(path));
  const repeated = [...exporters].filter(([, paths]) => paths.size > 1);
  const unknown = repeated.filter(([name]) => !Object.hasOwn(allowed, name));
  const unneeded = Object.keys(allowed).filter((name) => (exporters.get(name)?.size ?? 0) < 2);
  return [
    ...unknown.map(([name, paths]) => `"${name}" is exported by ${[...paths].join(', ')}: give each its own name.`),
    ...unneeded.map((name) => `"${name}" is exported once: remove it from the list in scripts/lint/names.ts.`),
    ...(Object.keys(allowed).length > 20 ? ['scripts/lint/names.ts lists more than 20 names.'] : []),
  ];
}
