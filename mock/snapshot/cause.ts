import type { Cause } from '../outbound/cause.ts';
import { moment, object, oneOf, text, whole } from './shape.ts';

export const cause = object<Cause>({
  id: whole,
  kind: oneOf({ request: true, clock: true, control: true }),
  what: text,
  at: moment,
});
