/** How the suite is asked for on a command line. */
export const called = 'giftcard-sandbox conformance';

/** The same where the package may not be installed. */
export const calledAnywhere = `npx ${called}`;

/** The command that judges clauses alone; what says where, and the clauses' names, go behind it. */
export const REPLAY = `${calledAnywhere} replay`;
