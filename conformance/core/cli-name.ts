/** How messages name the command of the suite. `npx` runs it whether the package is installed or not. */
export const cliName = 'npx giftcard-sandbox conformance';

// Until the commands are on commander.
export const called = 'giftcard-sandbox conformance';
export const calledAnywhere = cliName;
export const REPLAY = `${cliName} run`;
