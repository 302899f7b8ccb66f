import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../conformance/cli/main.ts';
import type { Profile } from '../../conformance/core/target.ts';
import { type Mock, type MockOptions, startMock } from '../../mock/index.ts';
import { defaultWorldProfile } from '../default-world-profile.ts';

/** A folder of its own, with what a mock and a run that learns from it need. */
export class LearnRun {
  readonly folder = mkdtempSync(join(tmpdir(), 'learning-'));
  readonly env = { GIFTCARD_API_KEY: 'sandbox-key-main-not-a-real-key', XDG_STATE_HOME: this.folder };

  at(name: string): string {
    return join(this.folder, name);
  }

  end(): void {
    rmSync(this.folder, { recursive: true });
  }

  mock(options: MockOptions = {}): Promise<Mock> {
    return startMock({ listen: false, rateLimit: 'off', ...options });
  }

  /** Runs the command against the mock, in this process; learn writes the file. */
  async run(mock: Mock, argv: readonly string[], fetch = (request: Request) => mock.fetch(request)) {
    const told = { out: '', err: '' };
    const io = {
      stdout: { write: (text: string) => (told.out += text) },
      stderr: { write: (text: string) => (told.err += text) },
      fetch,
    };
    return { code: await main([...argv], this.env, io), ...told };
  }

  learn(mock: Mock, file: string, more: readonly string[] = [], profile: Profile = {}) {
    const path = this.at(`${file}.profile.json`);
    writeFileSync(path, JSON.stringify({ ...defaultWorldProfile, noRateLimit: true, ...profile }));
    const flags = [
      '--target',
      TARGET,
      '--quiet',
      '--profile',
      path,
      '--ledger',
      this.at(`${file}.ledger`),
      '--out',
      this.at(file),
    ];
    return this.run(mock, ['learn', ...flags, ...more]);
  }
}

export const TARGET = 'http://127.0.0.1:1';
