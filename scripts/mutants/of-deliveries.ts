import { type Mutant, mutant } from './mutant.ts';

const deliveries = 'mock/outbound/deliveries.ts';
const courier = 'mock/outbound/webhook-sender.ts';
const letter = 'mock/outbound/signed-request.ts';
const post = 'mock/outbound/post.ts';
const signature = 'mock/outbound/signature.ts';
const cards = 'mock/domain/gift-cards.ts';
const notifications = 'mock/domain/notifications.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are pieces of source text
export const deliveryMutants: readonly Mutant[] = [
  mutant('delivery.is-post-of-one-object', post, "method: 'POST',", "method: 'PUT',"),
  mutant('delivery.is-post-of-one-object', post, 'await request(url, {', "await request(url.split('?')[0] ?? url, {"),
  mutant(
    'delivery.no-topic-filter',
    deliveries,
    'if (!webhook.enabled || webhook.url === null) continue;',
    "if (!webhook.enabled || webhook.url === null || (topic === 'giftcard/gifted' && webhook.token === null)) continue;",
  ),
  mutant(
    'delivery.one-per-webhook',
    deliveries,
    'for (const webhook of state.webhooks()) {',
    'for (const webhook of new Map([...state.webhooks()].map((each) => [each.url, each])).values()) {',
  ),
  mutant(
    'delivery.attempted-once',
    courier,
    'const delivered = isDelivered(posted, behaviors);',
    "const delivered = isDelivered(posted, behaviors); if (!delivered) await this.attempt(delivery, letter, { kind: 'resend', drill, cause });",
  ),
  ...[404, 503, 307].map((status) =>
    mutant(
      'delivery.attempted-once',
      courier,
      'const delivered = isDelivered(posted, behaviors);',
      `const delivered = isDelivered(posted, behaviors); if ('status' in posted && posted.status === ${status}) await this.attempt(delivery, letter, { kind: 'resend', drill, cause });`,
    ),
  ),
  mutant('delivery.any-2xx-succeeds', letter, 'posted.status >= 200 && posted.status < 300', 'posted.status === 200'),
  mutant('delivery.any-2xx-succeeds', letter, 'posted.status < 300', 'posted.status < 202'),
  mutant(
    'delivery.updated.on-issue',
    notifications,
    "sent('gift-card', 'giftcard/updated', card",
    "sent('gift-card', 'giftcard/gifted', card",
  ),
  mutant(
    'delivery.gifted.on-gift',
    notifications,
    'return waitsForMoment(card, now, behaviors) ? [] : onIssue(card, behaviors);',
    'return onIssue(card, behaviors);',
  ),
  mutant(
    'delivery.gifted.on-gift',
    notifications,
    "sent('gifted', 'giftcard/gifted', card",
    "sent('gifted', 'giftcard/updated', card",
  ),
  mutant(
    'delivery.voided.on-void',
    cards,
    "{ kind: 'delivery', topic: 'giftcard/voided', card: voided },",
    "{ kind: 'delivery', topic: card.recipientName === null ? 'giftcard/expired' : 'giftcard/voided', card: voided },",
  ),
  mutant(
    'delivery.voided.on-void',
    cards,
    "{ kind: 'delivery', topic: 'giftcard/voided', card: voided },",
    "...(card.status === 'Redeemed' ? [] : [{ kind: 'delivery' as const, topic: 'giftcard/voided' as const, card: voided }]),",
  ),
  mutant('delivery.signed-with-token', signature, "createHmac('sha256', token)", "createHmac('sha256', token.slice(0, 64))"),
  mutant('delivery.signed-with-token', signature, "digest('base64')", "digest('hex')"),
  mutant(
    'delivery.signed-with-token',
    signature,
    "createHmac('sha256', token)",
    "createHmac('sha256', token.trim().slice(0, 22))",
  ),
  mutant('delivery.signed-with-token', letter, 'return token === null ?', 'return token === null || body.includes("voided") ?'),
  mutant(
    'delivery.signature-covers-raw-bytes',
    letter,
    "sign(Buffer.from(body, 'utf8'), token)",
    'sign(Buffer.from(JSON.stringify(JSON.parse(body), null, 2)), token)',
  ),
  mutant(
    'delivery.signature-covers-raw-bytes',
    letter,
    "sign(Buffer.from(body, 'utf8'), token)",
    "sign(Buffer.from(body, 'latin1'), token)",
  ),
  mutant(
    'delivery.signature-covers-raw-bytes',
    letter,
    "sign(Buffer.from(body, 'utf8'), token)",
    'sign(Buffer.from(JSON.stringify(JSON.parse(body), Object.keys(JSON.parse(body)).sort())), token)',
  ),
  mutant(
    'delivery.unsigned-without-token',
    letter,
    'return token === null ? unsigned(body, behaviors) :',
    "return token === null ? signed(body, sign(Buffer.from(body), 'none'), behaviors) :",
  ),
  mutant(
    'delivery.token-never-sent',
    letter,
    ": signed(body, sign(Buffer.from(body, 'utf8'), token), behaviors);",
    ": { ...signed(body, sign(Buffer.from(body, 'utf8'), token), behaviors), body: body.replace('{', `{\"T\":${JSON.stringify(token)},`) };",
  ),
  mutant(
    'delivery.token-never-sent',
    letter,
    ": signed(body, sign(Buffer.from(body, 'utf8'), token), behaviors);",
    ": { body, headers: { ...signed(body, sign(Buffer.from(body, 'utf8'), token), behaviors).headers, 'x-token': token } };",
  ),
  ...['true', "topic === 'giftcard/voided'", "topic === 'giftcard/gifted'"].map((when) =>
    mutant(
      'delivery.one-per-webhook',
      deliveries,
      'for (const webhook of state.webhooks()) {',
      `for (const webhook of [...state.webhooks()].flatMap((each) => (${when} ? [each, each] : [each]))) {`,
    ),
  ),
  mutant(
    'delivery.unsigned-without-token',
    courier,
    'letterOf(body, webhook.token, behaviors)',
    'letterOf(body, webhook.token ?? [...this.#account.state.webhooks()].find((each) => each.url === webhook.url && each.token !== null)?.token ?? null, behaviors)',
  ),
  mutant(
    'delivery.any-2xx-succeeds',
    letter,
    'return posted.status >= 200 && posted.status < 300;',
    'return [200, 201, 202, 204].includes(posted.status);',
  ),
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the pieces end here
