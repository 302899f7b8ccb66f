import { conformance } from 'giftcard-sandbox/vitest';

// The service to judge comes from GIFTCARD_BASE_URL, its key from GIFTCARD_API_KEY; GIFTCARD_PROFILE may name a file with what else it offers.
conformance({ skip: ['limits.*'] });
