/** What `giftcard-sandbox env` tells a shell, and lines for a shell read. */
export const BASE_URL = 'GIFTCARD_BASE_URL';
export const API_KEY = 'GIFTCARD_API_KEY';
