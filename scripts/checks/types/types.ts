import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IConfigFile } from '@microsoft/api-extractor';
import { entries } from '../../entries.ts';
import { installTools } from '../../tools.ts';

installTools(import.meta.dirname);
const { Extractor, ExtractorConfig, ExtractorLogLevel } = await import('@microsoft/api-extractor');

const root = join(import.meta.dirname, '../../..');
const dist = join(root, 'dist');
/** The declarations of each source file. */
const declared = join(dist, 'types');

/**
 * Writes the declarations of each entry as one file to dist/, and the public API of each entry as a report. Throws if the public API uses a type that
 * no entry exports.
 */
function writeTypes(reports: string): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'scripts/tsconfig.build.json')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('tsc found errors.');
  // With this file, API Extractor does not find giftcard-sandbox itself. The declarations of runners/ then import the types of the package by its name.
  writeFileSync(join(declared, 'package.json'), '{ "type": "module" }');
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  for (const [name, source] of Object.entries(entries)) {
    // For `require`, TypeScript reads a .d.cts file, because it takes a .d.ts file of this package for an ES module.
    const types = join(dist, `${name}.d.cts`);
    rollUp(name, join(declared, source.replace(/\.ts$/, '.d.ts')), types, reports);
    const text = readFileSync(types, 'utf8');
    const isTwice = /^export default|as default/m.test(text);
    // The default export of a CommonJS module is another value for `import`, so these entries need the text twice.
    writeFileSync(join(dist, `${name}.d.ts`), isTwice ? text : `export * from './${name}.cjs';\n`);
  }
  for (const folder of [declared, `${reports}/temp`]) rmSync(folder, { recursive: true });
}

function rollUp(name: string, from: string, types: string, reports: string): void {
  const none = { default: { logLevel: ExtractorLogLevel.None } };
  const configObject: IConfigFile = {
    projectFolder: root,
    mainEntryPointFilePath: from,
    compiler: { overrideTsconfig: { extends: './scripts/tsconfig.build.json', compilerOptions: { paths: {} } } },
    apiReport: { enabled: true, reportFileName: `${name}.api.md`, reportFolder: reports, reportTempFolder: `${reports}/temp` },
    docModel: { enabled: false },
    dtsRollup: { enabled: true, untrimmedFilePath: types },
    tsdocMetadata: { enabled: false },
    newlineKind: 'lf',
    messages: {
      compilerMessageReporting: none,
      tsdocMessageReporting: none,
      extractorMessageReporting: { ...none, 'ae-forgotten-export': { logLevel: ExtractorLogLevel.Error } },
    },
  };
  const packageJsonFullPath = join(root, 'package.json');
  const config = ExtractorConfig.prepare({ configObject, configObjectFullPath: undefined, packageJsonFullPath });
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      message.handled = message.logLevel !== ExtractorLogLevel.Error;
    },
  });
  if (!succeeded) throw new Error(`The public API of ${name} needs the exports above.`);
}

// Reviewers read the reports in api-report/. The package needs none, so its build writes them where a test compares them.
writeTypes(
  join(
    root,
    process.argv.includes('--api') ? 'scripts/checks/package/api-report' : 'node_modules/.cache/giftcard-sandbox/api-report',
  ),
);
