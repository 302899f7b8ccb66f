import { isDateTime } from './date-time.ts';

// Most URLs match this fast pattern. Other URLs are parsed, which takes ten times as long. A host with `--` does not match, because it may be Punycode.
const plainAddress = /^https?:\/\/[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.[a-z][a-z0-9]*(?:-[a-z0-9]+)*)*(?:\/[\w~-][\w.~-]*)*$/i;

/** The formats of the contract. `npm run generate` fails for a format that is not here. */
export const formats: Record<string, RegExp | ((text: string) => boolean)> = {
  'date-time': isDateTime,
  email: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/,
  uri: (text) => plainAddress.test(text) || (/^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && URL.canParse(text)),
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};
