import { afterAll, beforeEach } from 'vitest';

/** CI sets SAMPLE=1, so that the slow tests run only a part of their cases. The nightly checks run all. */
export const isSample = process.env.SAMPLE === '1';

/** Lets the file fail if fewer of its tests run. A title (`-t`) selects some tests, to repeat them; then one test is enough. */
export function ranAtLeast(least: { readonly whole: number; readonly sample: number }): void {
  const ran = new Set<string>();
  let expected = isSample ? least.sample : least.whole;
  beforeEach(({ task }) => {
    ran.add(task.id);
    if (task.file.tasks.some(({ mode }) => mode === 'skip')) expected = 1;
  });
  afterAll(() => {
    if (ran.size < expected) throw new Error(`Only ${ran.size} tests ran; at least ${expected} must run.`);
  });
}
