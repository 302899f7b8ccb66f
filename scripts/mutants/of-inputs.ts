import { type Mutant, mutant } from './mutant.ts';

const cards = 'mock/operations/gift-cards.ts';
const adjusting = 'mock/operations/adjustments.ts';
const handle = 'mock/pipeline/handle.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are pieces of source text
/** Something that only odd input trips over: a server fault, or a refusal that leaves something behind. */
export const inputMutants: readonly Mutant[] = [
  mutant(
    'robustness.create-gift-card',
    cards,
    'const blank = blankAmong({ code: body.code,',
    "if (body.customField3?.includes('\\u0000')) throw new Error('cut short'); const blank = blankAmong({ code: body.code,",
  ),
  mutant(
    'robustness.create-gift-card',
    cards,
    'if (refused(balance)) return balance;',
    "if (refused(balance)) return refuse('request.invalid', 'balance', [{ table: 'cards', put: { ...context.state.newest(0, 1, false)[0]!, notes: 'nearly' } }]);",
  ),
  mutant(
    'robustness.get-by-code',
    cards,
    'finding.seenByCode(parameters.code as string, context)',
    "finding.seenByCode((parameters.code as string).length > 1000 ? (() => { throw new Error('too long'); })() : (parameters.code as string), context)",
  ),
  mutant(
    'robustness.get-by-id',
    cards,
    'finding.seenById(parameters.id as string, context)',
    'finding.seenById(decodeURIComponent(parameters.id as string), context)',
  ),
  mutant(
    'robustness.get-by-email',
    cards,
    'const address = text(parameters.emailAddress as string | undefined);',
    'new RegExp(parameters.emailAddress as string); const address = text(parameters.emailAddress as string | undefined);',
  ),
  mutant('robustness.get-by-source', cards, 'String(sourceId), context);', 'decodeURIComponent(String(sourceId)), context);'),
  mutant(
    'robustness.list',
    cards,
    'const { state, behaviors } = context;\n  const page',
    "const { state, behaviors } = context; if ((parameters.pageNumber as number) > 2 ** 31) throw new Error('overflow');\n  const page",
  ),
  mutant(
    'robustness.void-by-code',
    cards,
    'finding.byCode(context.state, parameters.code as string)',
    'finding.byCode(context.state, decodeURIComponent(parameters.code as string))',
  ),
  mutant(
    'robustness.void-by-id',
    cards,
    "return shown(cards.makeVoid(finding.byShownId(parameters.id as string, context), context, 'id'), context);",
    "const on = finding.byShownId(parameters.id as string, context); return refused(on) ? refuse('gift-card.not-found', '', [{ table: 'cards', put: { ...context.state.newest(0, 1, false)[0]!, notes: 'nearly' } }]) : shown(cards.makeVoid(on, context, 'id'), context);",
  ),
  mutant(
    'robustness.history-by-code',
    adjusting,
    'history(byCode(context.state, parameters.code as string), context)',
    'history(byCode(context.state, JSON.parse(`"${parameters.code as string}"`)), context)',
  ),
  mutant(
    'robustness.history-by-id',
    adjusting,
    'history(byShownId(parameters.giftCardId as string, context), context)',
    'history(byShownId(decodeURIComponent(parameters.giftCardId as string), context), context)',
  ),
  mutant(
    'robustness.adjust-by-code',
    adjusting,
    'const notes = body.notes ?? null;',
    "const notes = body.notes ?? null; encodeURIComponent(notes ?? '');",
  ),
  mutant(
    'robustness.adjust-by-code',
    adjusting,
    'if (refused(adjustment)) return adjustment;\n  // adjustment.by-code',
    "if (refused(adjustment)) return refuse('request.invalid', 'the adjustment', [{ table: 'cards', put: { ...context.state.newest(0, 1, false)[0]!, notes: 'nearly' } }]);\n  // adjustment.by-code",
  ),
  mutant(
    'robustness.adjust-by-id',
    adjusting,
    'const id = requiredText(',
    "if ((body as ById).notes?.includes('\\ufeff')) throw new Error('unreadable'); const id = requiredText(",
  ),
  mutant(
    'robustness.automation-event',
    'mock/operations/automation-events.ts',
    'const blank = blankAmong(',
    'encodeURIComponent(JSON.stringify(body.properties ?? {}).replaceAll(/\\\\u(d[89ab]..)/g, (_, unit) => String.fromCharCode(parseInt(unit, 16)))); const blank = blankAmong(',
  ),
  mutant(
    'robustness.company-profile',
    handle,
    'const options = toOptions(asked);',
    "if (operation?.id === 'getCompanyProfile' && String(request.headers.accept).includes('q=2')) throw new Error('no such quality'); const options = toOptions(asked);",
  ),
  mutant(
    'robustness.webhook-list',
    handle,
    'const options = toOptions(asked);',
    "if (operation?.id === 'listWebhooks') decodeURIComponent(request.target); const options = toOptions(asked);",
  ),
  mutant(
    'robustness.webhook-create',
    'mock/domain/webhooks.ts',
    "return refuse('webhook.url-not-https', wanted.url);",
    "return refuse('webhook.url-not-https', wanted.url ?? '', [{ table: 'webhooks', put: { id: context.newId(), createdAt: context.now, failures: 0, enabled: true, ...wanted } }]);",
  ),
  mutant(
    'robustness.webhook-delete',
    'mock/operations/webhooks.ts',
    'webhooks.remove(parameters.id as string, context)',
    'webhooks.remove(decodeURIComponent(parameters.id as string), context)',
  ),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the pieces end here
