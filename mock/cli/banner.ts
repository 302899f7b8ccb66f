import type { Mock } from '../server/mock.ts';
import { isPostgres } from '../server/options.ts';

/** Returns the text that a started mock prints on stdout. The first line is the base URL. */
export function banner(mock: Mock): string {
  const accounts = mock.accounts.map(
    ({ id, plan, apiKey }) => `  ${id.padEnd(12)} ${plan.padEnd(10)} x-api-key: ${apiKey ?? '(no usable key)'}`,
  );
  // A replica that follows another one does not know their seed.
  const seed = isPostgres(mock.state?.path) && mock.state?.wasThere ? [] : [`Seed: ${mock.seed}`];
  const lines = [mock.url, 'Accounts:', ...accounts, ...controlLines(mock), ...seed];
  return [...lines, ...behaviorsLine(mock), ...stateLine(mock), ''].join('\n');
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

function stateLine({ state }: Mock): readonly string[] {
  if (!state) return [];
  if (state.wasThere) return [`State: loaded from ${state.path}`];
  return [`State: ${state.path} is new; every change is kept there`];
}
