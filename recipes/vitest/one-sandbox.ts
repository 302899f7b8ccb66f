import { startMock } from 'giftcard-sandbox';
import type { TestProject } from 'vitest/node';

/** Starts one sandbox for all test files (globalSetup in vitest's configuration). Each test file creates its own account in this sandbox. */
export default async function setup(project: TestProject) {
  const sandbox = await startMock();
  project.provide('sandboxUrl', sandbox.url);
  return () => sandbox.close();
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly sandboxUrl: string;
  }
}
