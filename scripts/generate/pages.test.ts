import { join } from 'node:path';
import { expect, test } from 'vitest';
import contract from '../../openapi/generated/contract.json' with { type: 'json' };
import { defaultBehaviors, ruleNames } from '../../openapi/generated/rules.ts';
import { documentTables, withTables } from './pages.ts';

const root = join(import.meta.dirname, '../..');

test('a table replaces the text between its comments, and nothing else', () => {
  const page = 'Before\n<!-- table one -->\nold\n<!-- end -->\nbetween\n<!-- table two -->\n<!-- end -->\n';
  const filled = 'Before\n<!-- table one -->\n\n| 1 |\n\n<!-- end -->\nbetween\n<!-- table two -->\n\n| $& |\n\n<!-- end -->\n';
  const tables = { one: '| 1 |', two: '| $& |' };
  expect(withTables(page, tables)).toBe(filled);
  expect(withTables(filled, tables)).toBe(filled);
  expect(() => withTables(page, { one: '' })).toThrow(/^There is no table two; the tables are one\.$/);
});

// Loads every command.
test('the tables have every flag, rule and property, and no text that VitePress interprets', async () => {
  const profile = {
    properties: { clock: { description: 'A <b> | {{c}} *d*', properties: { url: { default: 5 } }, required: ['url'] } },
  };
  const { profile: entries, ...tables } = await documentTables(root, profile);
  expect(entries?.split('\n').slice(2)).toEqual([
    '| `clock` | A &lt;b> \\| &#123;&#123;c}} \\*d\\* |',
    '| `clock.url` |  Default: `5`. Required. |',
  ]);
  expect(tables.settings).toContain('| `--rate-limit N\\|off`<br>`GIFTCARD_SANDBOX_RATE_LIMIT` | `rateLimit` |');
  expect(tables.commands).toMatch(/^## conformance run\n.*?`--baseline FILE`.*?\| `130` \| interrupted \|$/ms);
  expect(tables.commands?.match(/^\| `--target URL` .*/gm)).toEqual([
    expect.stringMatching(/^\| `--target URL` \| service to forward to/),
    expect.stringMatching(/\| run, plan, .*ledger \|$/),
  ]);
  expect(tables.commands).toMatch(/^Also \[shared flags\]\(#shared-flags\): `--target`, .*\.$/m);
  expect(tables.behaviors).toContain('| <a id="gift-card.void.again"></a>What does');
  expect(tables.mainQuestions).toContain(
    `(#adjustment.by-id.overdraw-status) | **\`${defaultBehaviors['adjustment.by-id.overdraw-status']}\`** |`,
  );
  const linked = Array.from(tables.mainQuestions?.matchAll(/\(#([\w.-]+)\)/g) ?? [], ([, name]) => name);
  expect(linked).toHaveLength(10);
  expect(linked.filter((name) => !tables.behaviors?.includes(`<a id="${name}">`))).toEqual([]);
  expect(tables.fixedBehaviors).toContain('| <a id="limits.rate-scope"></a>`limits.rate-scope` |');
  expect(tables.world).toContain('Default: `XXXX-XXXX-XXXX`.');
  expect(tables.operations).toMatch(/`POST …\/deliveries\/fire`<br>`account\.deliveries\.fire`/);
  const listed = `${tables.rules}${tables.behaviors}`;
  const { stated, ambiguous } = ruleNames;
  const unlisted = [...stated, ...ambiguous].filter((name) => !listed.includes(`\`${name}\``));
  expect(unlisted.filter((name) => !('robustness' in contract['x-rules'][name]))).toEqual([]);
  for (const text of Object.values(tables))
    expect(text.replace(/`[^`]*`|```.*?```/gs, '')).not.toMatch(/<(?!br>|a id="|\/a>)|\{\{/);
});
