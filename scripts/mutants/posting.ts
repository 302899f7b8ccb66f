import { SIGNATURE_HEADER, sign } from '../../mock/outbound/signature.ts';
import type { components } from '../../openapi/generated/types.ts';
import type { Mutation } from './mutation.ts';

type Payload = components['schemas']['WebhookDelivery'];

export interface Posting {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The token of the signature; null if unsigned. */
  readonly token: string | null;
  readonly payload: Payload;
}

export const signed = (text: string, token: string | null): Record<string, string> => ({
  'content-type': 'application/json',
  ...(token === null ? {} : { [SIGNATURE_HEADER]: sign(Buffer.from(text), token) }),
});

/** Replaces the sending of deliveries. `post` sends a changed delivery and resolves with its status, or with 0 without an answer. The last post counts. */
export const posting =
  (send: (delivery: Posting, post: (changes?: Partial<Posting>) => Promise<number>) => Promise<unknown>) => (): Mutation => {
    const tokens = new Set<string>();
    return {
      apply: (changes) => {
        for (const each of changes)
          if (each.table === 'webhooks' && 'put' in each && each.put.token !== null) tokens.add(each.put.token);
        return changes;
      },
      post:
        (next) =>
        async (url, bytes, headers, ...rest) => {
          const sentBody = Buffer.from(bytes).toString('utf8');
          const token = [...tokens].find((each) => sign(bytes, each) === headers[SIGNATURE_HEADER]) ?? null;
          const delivery: Posting = { url, body: sentBody, headers, token, payload: JSON.parse(sentBody) };
          let posted: Awaited<ReturnType<typeof next>> = { status: 200, headers: {}, body: '' };
          await send(delivery, async (changes = {}) => {
            const sent = { ...delivery, ...changes };
            posted = await next(sent.url, Buffer.from(sent.body), sent.headers, ...rest);
            return 'status' in posted ? posted.status : 0;
          });
          return posted;
        },
    };
  };

/** Changes the payload of deliveries and signs the result. */
export const payload = (change: (payload: Payload) => object) =>
  posting(({ payload: given, token }, post) => {
    const changed = JSON.stringify(change(given));
    return post({ body: changed, headers: signed(changed, token) });
  });
