import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { globalSetup: 'giftcard-sandbox/vitest/setup' } });
