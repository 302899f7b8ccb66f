import { conformance } from 'giftcard-sandbox/vitest';

// GIFTCARD_BASE_URL and GIFTCARD_API_KEY name the service to test. GIFTCARD_PROFILE may name a profile file.
// For your own server on this machine, set GIFTCARD_MODE=full. The mock needs no mode.
conformance({ skip: ['limits.*'] });
