module.exports = {
  // Starts one sandbox for all test files.
  globalSetup: 'giftcard-sandbox/jest',
  globalTeardown: 'giftcard-sandbox/jest/teardown',
};
