import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pages by group, in the order of the sidebar. */
const files = {
  Start: ['getting-started', 'testing', 'webhooks', 'time-and-faults', 'dashboard'],
  Mock: ['account', 'control-api', 'configuration', 'behaviors', 'state', 'containers'],
  'Conformance suite': ['conformance', 'unfinished-servers', 'live-accounts', 'compare-and-learn', 'proxy'],
  Reference: ['service', 'cli', 'glossary', 'troubleshooting', 'architecture'],
} as const;

export interface SitePage {
  /** The name of the file in docs/, without its extension. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

export const groups: readonly { readonly title: string; readonly pages: readonly SitePage[] }[] = Object.entries(files).map(
  ([title, names]) => ({ title, pages: names.map(page) }),
);

function page(name: string): SitePage {
  const text = readFileSync(join(import.meta.dirname, `../${name}.md`), 'utf8');
  const [, description = '', body = ''] = /^---\ndescription: (.*)\n---\n\n(.*)$/s.exec(text) ?? [];
  return { name, title: /^# (.*)$/m.exec(body)?.[1] ?? name, description, text: body };
}

/** Returns llms.txt (llmstxt.org): the pages with their descriptions. `folder` is the address of the pages' Markdown. */
export function llmsText(folder: string): string {
  const sections = groups.map(({ title, pages }) => {
    const links = pages.map((each) => `- [${each.title}](${folder}${each.name}.md): ${each.description}`);
    return `## ${title}\n\n${links.join('\n')}\n`;
  });
  const summary = 'A sandbox for a gift card service: its contract (OpenAPI 3.1), a mock with state, and a conformance suite.';
  return [`# giftcard-sandbox\n\n> ${summary}\n`, ...sections].join('\n');
}

/** Returns the links to headings that do not exist, as "page → link". VitePress itself checks only that the pages exist. */
export function brokenAnchors(outDir: string, base: string): string[] {
  const names = readdirSync(outDir).filter((name) => name.endsWith('.html'));
  const texts = new Map(names.map((name) => [`${base}${name}`, readFileSync(join(outDir, name), 'utf8')]));
  return [...texts].flatMap(([path, text]) =>
    Array.from(text.matchAll(/href="(\/[^"#]*)?#([^"]+)"/g), ([, target = path, anchor = '']) => ({ target, anchor }))
      .filter(({ target, anchor }) => !texts.get(target)?.includes(` id="${decodeURIComponent(anchor)}"`))
      .map(({ target, anchor }) => `${path} → ${target}#${anchor}`),
  );
}
