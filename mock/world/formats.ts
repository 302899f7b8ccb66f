import { formats as contractFormats } from '../../openapi/formats.ts';
import { patternOf } from '../contract/pattern.ts';

/** The formats of the world file's schema. Currencies, time zones and locales are valid if the runtime's Intl data has them. */
export const formats = {
  ...contractFormats,
  regex: (text: string) => works(() => patternOf(text, true)),
  currency: (text: string) => Intl.supportedValuesOf('currency').includes(text),
  'time-zone': (timeZone: string) => works(() => new Intl.DateTimeFormat('en', { timeZone })),
  locale: (text: string) => works(() => Intl.getCanonicalLocales(text)),
};

function works(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
