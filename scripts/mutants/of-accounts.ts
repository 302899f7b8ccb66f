import { type Mutant, mutant, oneState } from './mutant.ts';

const admit = 'mock/pipeline/authenticate.ts';
const account = 'mock/account/account.ts';
const handle = 'mock/pipeline/handle.ts';
const order = 'mock/pipeline/precedence.ts';
const state = 'mock/state/state.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are pieces of source text
export const accountMutants: readonly Mutant[] = [
  mutant('authentication.missing-key-is-401', admit, "?? refuse('auth.key-missing')", "?? refuse('request.invalid', '')"),
  mutant(
    'authentication.wrong-key-is-401',
    admit,
    "?? refuse('auth.key-unknown')",
    "?? refuse(given.startsWith('wrong') ? 'request.invalid' : 'auth.key-unknown', '')",
  ),
  mutant('authentication.deleted-key-is-401', admit, 'if (key.deleted && !isLate)', 'if (false)'),
  mutant('authentication.basic-plan-refused', admit, "if (plan === 'Basic')", 'if (false)'),
  mutant('errors.rejection-is-400-plain-text', handle, '`${mediaType}; charset=utf-8`', "'application/json'"),
  mutant(
    'authentication.key-is-in-header',
    admit,
    "request.headers['x-api-key']",
    "new URLSearchParams(request.target.split('?')[1]).get('x-api-key') ?? request.headers['x-api-key']",
  ),
  mutant('authentication.key-acts-on-its-own-account', account, ...oneState),
  mutant('authentication.foreign-record-is-404', account, ...oneState),
  mutant('authentication.lists-own-records-only', account, ...oneState),
  // Keys are looked at in some places only.
  mutant(
    'authentication.deleted-key-is-401',
    order,
    ': refusedTo(identified);',
    ": request.method === 'DELETE' || /Adjustment|Webhook/.test(request.target) ? undefined : refusedTo(identified);",
  ),
  mutant(
    'authentication.basic-plan-refused',
    order,
    ': refusedTo(identified);',
    ": request.target.startsWith('/api/GiftCard/') ? refusedTo(identified) : identified.key.deleted ? refuse('auth.key-deleted') : undefined;",
  ),
  mutant(
    'authentication.wrong-key-is-401',
    admit,
    "?? refuse('auth.key-unknown')",
    "?? (/Adjustment|Void|Company|Webhook|Email/.test(request.target) && given.startsWith('wrong') ? [...holders.values()][0] : undefined) ?? refuse('auth.key-unknown')",
  ),
  // Keys that are nearly one.
  mutant(
    'authentication.wrong-key-is-401',
    admit,
    "?? refuse('auth.key-unknown')",
    "?? [...holders.values()].find((each) => given.startsWith(each.key.key)) ?? refuse('auth.key-unknown')",
  ),
  mutant(
    'authentication.wrong-key-is-401',
    admit,
    "?? refuse('auth.key-unknown')",
    "?? (given === '' ? undefined : [...holders.values()].find((each) => each.key.key.startsWith(given))) ?? refuse('auth.key-unknown')",
  ),
  mutant(
    'authentication.wrong-key-is-401',
    admit,
    'return holders.get(given)',
    "return holders.get(given.trim().replace(/[.,;]$/, ''))",
  ),
  mutant(
    'authentication.wrong-key-is-401',
    admit,
    "?? refuse('auth.key-unknown')",
    "?? [...holders.values()].find(({ key: { key } }) => key.length === given.length && [...key].filter((letter, at) => letter !== given[at]).length < 2) ?? refuse('auth.key-unknown')",
  ),
  mutant(
    'authentication.wrong-key-is-401',
    admit,
    "if (typeof given !== 'string' || given === '') return",
    "if (given === '') return [...holders.values()][0]!; if (typeof given !== 'string') return",
  ),
  // What another account has leaks in one place only.
  mutant(
    'authentication.lists-own-records-only',
    state,
    '#webhooks = new Map<string, WebhookRecord>();',
    '#webhooks: Map<string, WebhookRecord> = (() => { const all = ((globalThis as any).hookMaps ??= []); class Shared extends Map<string, WebhookRecord> { override get(id: string): any { return super.get(id) ?? all.filter((other: any) => other !== this).map((other: any) => other.own(id)).find(Boolean); } own(id: string) { return super.get(id); } mine(id: string) { return super.delete(id); } override delete(id: string) { for (const other of all) other.mine(id); return true; } } const own = new Shared(); all.push(own); return own; })();',
  ),
  mutant(
    'authentication.lists-own-records-only',
    'mock/outbound/deliveries.ts',
    'for (const webhook of state.webhooks()) {',
    "const every = ((globalThis as any).everyState ??= new Set()); for (const other of every) if (other !== state) for (const { url, enabled } of other.webhooks()) if (enabled) void fetch(url, { method: 'POST', body: payload(topic, card, chance.guid(), this.#account) }).catch(() => 0); every.add(state); for (const webhook of state.webhooks()) {",
  ),
  ...['page.includeAll', 'page.since !== null'].map((when) =>
    mutant(
      'authentication.lists-own-records-only',
      'mock/domain/list.ts',
      'const first = page.pageNumber * page.pageSize;',
      `const states = ((globalThis as any).listStates ??= new Set()); states.add(state); const first = page.pageNumber * page.pageSize; if (${when}) { const others = [...states].filter((other: any) => other !== state).flatMap((other: any) => [...other.cards()]).filter(({ code }: any) => code.startsWith('GCS')).reverse(); return { cards: [...others, ...listed.part(first, page.pageSize)].slice(0, page.pageSize), totalCount: listed.count }; }`,
    ),
  ),
  mutant(
    'authentication.lists-own-records-only',
    'mock/domain/finding.ts',
    'const card = state.cardBySource(accountPlatformId, sourceId);',
    'const every = ((globalThis as any).sourceStates ??= new Set()); every.add(state); const card = [...every].map((each: any) => each.cardBySource(accountPlatformId, sourceId)).find(Boolean);',
  ),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the pieces end here
