/** In milliseconds. A day is 24 hours everywhere in the mock, whatever the account's time zone does. */
export const DAY = 86_400_000;
