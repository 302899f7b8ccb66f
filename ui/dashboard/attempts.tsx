import type { Delivery } from '../../mock/control/generated/types.ts';
import { ExchangeView } from '../components/exchange.tsx';
import { BodyView } from '../components/json-view.tsx';

/** All posts of a delivery, with the responses of the receiver. Before the first post, the body. */
export function Attempts({ of: { url, body, attempts } }: { readonly of: Delivery }) {
  if (attempts.length === 0) return <BodyView text={body} />;
  return (
    <>
      {attempts.map((attempt, index) => (
        <ExchangeView
          key={index}
          request={{ method: 'POST', target: url, headers: attempt.headers, body: attempt.body ?? body }}
          response={attempt.response}
          error={attempt.error}
          milliseconds={attempt.milliseconds}
        />
      ))}
    </>
  );
}
