/** How messages name the command of the suite. `npx` runs it whether the package is installed or not. */
export const cliName = 'npx giftcard-sandbox conformance';
