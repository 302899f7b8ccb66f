/** The variables that `giftcard-sandbox env` sets and that the `curl` lines of the journal use. */
export const BASE_URL = 'GIFTCARD_BASE_URL';
export const API_KEY = 'GIFTCARD_API_KEY';
