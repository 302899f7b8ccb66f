import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checks } from '../conformance/core/clause.ts';
import '../conformance/clauses/index.ts';
import '../conformance/probes/index.ts';
import { runClauses } from '../conformance/core/run.ts';
import { type Mock, startMock } from '../mock/index.ts';

/** Prism knows only the contract. As a proxy between the suite and the mock, it checks every answer. */
let mock: Mock;
let prism: ChildProcess;
let proxyUrl: string;

beforeAll(async () => {
  mock = await startMock({ rateLimit: 'off', seed: 1 });
  const command = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
  const document = fileURLToPath(new URL('../openapi/generated/contract.json', import.meta.url));
  const argv = [command, 'proxy', document, mock.url, '--port', '0', '--host', '127.0.0.1'];
  prism = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, FORCE_COLOR: '0' } });
  proxyUrl = await new Promise((resolve, reject) => {
    prism.once('exit', (code) => reject(new Error(`Prism ended with ${code} before it listened.`)));
    createInterface({ input: prism.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
      if (url && line.includes('listening')) resolve(url);
    });
  });
}, 60_000);

afterAll(async () => {
  prism.kill();
  await mock.close();
});

test('with Prism between suite and mock, no answer and no accepted request violates the contract', {
  timeout: 60_000,
}, async () => {
  const violations: string[] = [];
  let answers = 0;
  let badRequestsSeen = 0;
  const result = await runClauses({
    target: {
      url: proxyUrl,
      key: mock.apiKey,
      profile: { noRateLimit: true },
      fetch: async (request, { odd }) => {
        const response = await fetch(request);
        answers++;
        const found = JSON.parse(response.headers.get('sl-violations') ?? '[]') as { location: string[]; message: string }[];
        for (const { location, message } of found) {
          const ours = location[0] === 'response' || response.status === 200;
          if (odd) continue;
          if (ours) violations.push(`${request.method} ${request.url} ${response.status}: ${location.join('/')} ${message}`);
          else badRequestsSeen++;
        }
        return response;
      },
    },
    // Prism crashes at a path with an invalid escape.
    names: checks().flatMap(({ name, inputs }) => (inputs || name === 'errors.malformed-input-is-no-server-fault' ? [] : [name])),
    checks: checks(),
    suite: 'test',
  });
  expect(violations).toEqual([]);
  // The suite also sends bad requests. Their reports prove that Prism checks the traffic.
  expect(badRequestsSeen).toBeGreaterThan(5);
  expect(answers).toBeGreaterThan(100);
  expect(result.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
  expect(result.cards.left).toEqual([]);
});
