import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { brokenAnchors, groups, llmsText } from './site.ts';

/** The path of the site on its host, such as /giftcard-sandbox/ on GitHub Pages. */
const base = process.env.DOCS_BASE ?? '/';
const sidebar = groups.map(({ title, pages }) => ({
  text: title,
  items: pages.map(({ name, title: text }) => ({ text, link: `/${name}` })),
}));

/** Narrow screens wrap names in tables, and examples have room for 84 characters in a line. */
const style = `.vp-doc :is(th, td) { min-width: 7em; padding: 8px 12px }
.vp-doc td code { overflow-wrap: anywhere }
.vp-doc [class*='language-'] code { font-size: 13px }
.vp-doc .file { margin-bottom: -10px }`;

export default defineConfig({
  base,
  title: 'giftcard-sandbox',
  description: 'The sandbox that a gift card service does not have',
  lang: 'en',
  head: [
    ['link', { rel: 'icon', href: `${base}logo.svg` }],
    ['style', {}, style],
  ],
  themeConfig: {
    logo: '/logo.svg',
    search: { provider: 'local' },
    outline: [2, 3],
    nav: ['getting-started', 'conformance', 'cli', 'troubleshooting'].flatMap((name) =>
      sidebar.flatMap(({ items }) => items.filter(({ link }) => link === `/${name}`)),
    ),
    sidebar,
  },
  markdown: {
    linkify: false,
    config: ({ renderer }) => {
      // ```ts [one.test.ts] shows the name of the file above the code.
      const { fence } = renderer.rules;
      renderer.rules.fence = (tokens, index, ...rest) => {
        const [, file] = /\[(.+)\]/.exec(tokens[index]?.info ?? '') ?? [];
        const code = fence?.(tokens, index, ...rest) ?? '';
        return file === undefined ? code : `<p class="file"><code>${file}</code></p>${code}`;
      };
    },
  },
  buildEnd({ outDir, srcDir }) {
    const broken = brokenAnchors(outDir, base);
    if (broken.length > 0) throw new Error(`Links to headings that do not exist: ${broken.join(', ')}.`);
    writeFileSync(join(outDir, 'llms.txt'), llmsText(base));
    const pages = groups.flatMap((group) => group.pages);
    for (const { name } of pages) copyFileSync(join(srcDir, `${name}.md`), join(outDir, `${name}.md`));
    writeFileSync(join(outDir, 'llms-full.txt'), pages.map(({ text }) => text).join('\n'));
  },
});
