import { createHash } from 'node:crypto';
import type { Sandbox } from '../account/sandbox.ts';
import type { Settings } from '../account/settings.ts';
import { format } from '../domain/money.ts';
import { escapeForEmail } from '../outbound/outbox.ts';
import type { ServiceResponse } from '../pipeline/exchange.ts';
import type { CardRecord } from '../state/records.ts';
import { pageResponse, plainResponse } from './page-response.ts';

/** Shows a card as its recipient sees it. Only the ID finds a card, because IDs cannot be guessed. */
export function cardPage({ accounts }: Sandbox, path: string): ServiceResponse {
  const [, , id = '', ...rest] = path.split('/');
  for (const { state, settings } of accounts.values()) {
    const card = state.card(id);
    if (card) return pageResponse(pageOf(card, settings, OTHER.get(rest.join('/'))), POLICY);
  }
  return plainResponse(404, 'There is no gift card at this address.');
}

/** The pages of the service for which the sandbox shows the card. */
const OTHER = new Map([
  ['wallet/apple', 'a pass for Apple Wallet'],
  ['wallet/google', 'a pass for Google Wallet'],
  ['pdf', 'a printable card'],
  ['gift', 'a form to give the card to a friend'],
]);

function pageOf(card: CardRecord, settings: Settings, other: string | undefined): string {
  const date = (at: number | null) =>
    at && new Intl.DateTimeFormat(settings.locale, { dateStyle: 'long', timeZone: settings.timeZone }).format(at);
  const rows = [
    ['Code', card.code],
    ['Status', card.deletedAt === null ? card.status : 'Deleted'],
    ['Valid until', date(card.expiresAt) ?? 'no expiry'],
    ['For', card.recipientName],
    ['From', card.buyerName],
  ].flatMap(([name, value]) => (value ? [`<dt>${name}</dt><dd>${escapeForEmail(String(value))}</dd>`] : []));
  const hint = hintOf(card, date);
  const name = escapeForEmail(settings.name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Gift card of ${name}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${name}</h1>
<p class="balance">${escapeForEmail(format(card.balance, card.currency, settings.locale))}</p>
${hint && `<p class="hint">${escapeForEmail(hint)}</p>`}
${card.giftMessage ? `<blockquote>${escapeForEmail(card.giftMessage)}</blockquote>` : ''}
<dl>${rows.join('')}</dl>
${other ? `<p class="note">The service has ${other} at this address. The sandbox shows the card.</p>` : ''}
</main>
</body>
</html>
`;
}

/** Says why the card cannot be used. */
function hintOf(card: CardRecord, date: (at: number | null) => unknown): string {
  if (card.deletedAt !== null) return 'This gift card no longer exists.';
  switch (card.status) {
    case 'Voided':
      return 'This gift card was voided. It cannot be used.';
    case 'Expired':
      return `This gift card expired on ${date(card.expiresAt)}. It cannot be used.`;
    case 'Redeemed':
      return 'This gift card is used up.';
    case 'Scheduled':
      return `This gift card can be used from ${date(card.giftScheduledFor)} on.`;
    case 'Active':
      return '';
  }
}

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 400px; margin: 12vh auto; padding: 24px; border: 1px solid #8886; border-radius: 12px; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 18px; font-weight: 600; }
.balance { margin: 8px 0; font-size: 40px; font-weight: 600; }
.hint { padding: 8px 12px; border-left: 4px solid #c60; }
blockquote { margin: 16px 0; font-style: italic; white-space: pre-line; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 16px 0 0; }
dd { margin: 0; }
.note { margin: 16px 0 0; font-size: 14px; }
`;

/** The page has no script, and loads nothing. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
