import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Starts Debian's Chromium, or the browser of the environment variable CHROMIUM. */
export function launchBrowser(): Promise<Browser> {
  const quiet = ['background-networking', 'component-update', 'sync', 'quic', 'gpu'].map((name) => `--disable-${name}`);
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--no-first-run', ...quiet] });
}

export interface Window {
  /** The width in pixels. Default: 1280. */
  readonly width?: 1280 | 390;
  readonly scheme?: 'light' | 'dark';
}

export function openWindow(browser: Browser, { width = 1280, scheme = 'light' }: Window): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width, height: width === 390 ? 844 : 800 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the serious and critical violations of accessibility, one sentence each. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate<AxeResults>('axe.run()');
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
