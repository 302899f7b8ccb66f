/** For `globalTeardown: 'giftcard-sandbox/jest/teardown'` in the configuration of Jest. */
export { stopForRun as default } from './run-sandbox.ts';
