import type { Mock } from '../server/mock.ts';
import type { MockSettings } from './flags.ts';

/** The text that a started mock prints on stdout; its first line is the base URL. */
export function banner(mock: Mock, settings: MockSettings): string {
  const accounts = mock.accounts.map(
    ({ id, plan, apiKey }) => `  ${id.padEnd(12)} ${plan.padEnd(10)} x-api-key: ${apiKey ?? '(no usable key)'}`,
  );
  const lines = [mock.url, 'Accounts:', ...accounts, ...controlLines(mock), `Seed: ${mock.seed}`];
  return [...lines, ...behaviorsLine(mock), ...stateLine(mock, settings), ''].join('\n');
}

function controlLines({ controlUrl, controlToken }: Mock): readonly string[] {
  if (controlUrl === undefined) return ['Control API: off'];
  const line = `Control API: ${controlUrl}/__mock/ (its reference: ${controlUrl}/__mock/control-reference)`;
  return controlToken === undefined ? [line] : [line, `Control token, for the header x-sandbox-token: ${controlToken}`];
}

function behaviorsLine({ controlUrl, variant }: Mock): readonly string[] {
  const { differing, overrides } = variant;
  if (differing === 0 && overrides === 0) return [];
  const where = controlUrl === undefined ? '' : ` (see ${controlUrl}/__mock/behaviors)`;
  return [`Behaviors that differ from the default: ${differing}; overrides: ${overrides}${where}`];
}

/** Names the flags that a loaded state file overrules. */
function stateLine({ state }: Mock, { world, variant, vary, seed }: MockSettings): readonly string[] {
  if (!state) return [];
  if (!state.wasThere) return [`State: ${state.path} is new; it is written when the mock stops`];
  const given = Object.entries({ world, variant, vary: vary || undefined, seed }).filter(([, value]) => value !== undefined);
  const flags = given.map(([flag]) => `--${flag}`).join(', ');
  return [`State: loaded from ${state.path}${flags && `; only a reset applies ${flags}`}`];
}
