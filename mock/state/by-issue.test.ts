import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByIssue } from './by-issue.ts';

test('finds those after a moment, however they came, asked in between or not', () => {
  const step = fc.record({ at: fc.nat(30), ask: fc.option(fc.integer({ min: -1, max: 31 }), { freq: 3 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
      const byIssue = new ByIssue<{ id: string; at: number }>((each) => each.at);
      const plain: { id: string; at: number }[] = [];
      for (const { at, ask } of [...steps, { at: 15, ask: -1 }]) {
        const each = { id: String(plain.length), at };
        byIssue.add(each);
        plain.push(each);
        if (ask === null) continue;
        const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id).sort();
        expect(ids(byIssue.after(ask))).toEqual(ids(plain.filter((each) => each.at > ask)));
      }
    }),
  );
});
