import { type Mutant, mutant, oneState } from './mutant.ts';

const admit = 'mock/admit.ts';
const account = 'mock/account.ts';
const handle = 'mock/handle.ts';

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
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the pieces end here
