import { allowanceOf, channelsOf, describe, suppressedOf, timelineOf, withoutMoment } from './account-views.ts';
import { accountOf, addAccount, cardOf, health, reset } from './accounts.ts';
import type { Actions } from './action.ts';
import * as clock from './clock.ts';
import * as dashboard from './dashboard.ts';
import * as documents from './documents.ts';
import { operations } from './route.ts';

/**
 * What the door does, by operation of its document. The table only leads to functions, which others may call as well. To add an operation:
 *
 * 1. Write it into openapi/paths/<room>.yaml, its schemas into openapi/schemas/<room>.yaml, and a line under `paths` of openapi/openapi.yaml. Its
 *    summary says to a newcomer what it does; its first answer of 2xx is what success is answered with, "4XX" is responses.yaml#/No. Give
 *    objects `additionalProperties: false`, since what the schema does not know is refused; a text with a comma in {…} needs quotes.
 * 2. `npm run generate`. From then on it does not compile until the table below has an action of its operationId.
 * 3. Write the function in <room>.ts: `(account, what it needs) => reply`. Input was checked against the schema. What only the account can tell is
 *    checked first and refused with `throw new ControlError(status, sentence)`; then it changes. Its reply is checked against the document.
 * 4. Lead to it here, with `accountOf` and `cardOf` for what the path names. Test the function, and its route once, through `control`.
 */
export const actions: Actions = {
  listOperations: () => ({
    document: '/__mock/control.json',
    reference: '/__mock/control-reference',
    paths: Object.fromEntries(operations.map(({ method, path, summary }) => [`${method} ${path}`, summary])),
  }),
  getHealth: health,
  reset,

  getContract: documents.contract,
  getContractAsYaml: documents.contractAsYaml,
  getReference: documents.referencePage,
  getControlDocument: documents.ownDocument,
  getControlReference: documents.ownReferencePage,
  getRenderer: documents.referenceRenderer,

  listAccounts: ({ accounts }) => Array.from(accounts.values(), describe),
  addAccount: (sandbox, { query, body }) => addAccount(sandbox, body, query.ttl),
  getAccount: (sandbox, { path }) => describe(accountOf(sandbox, path.account)),
  removeAccount: (sandbox, { path }) => {
    sandbox.remove(accountOf(sandbox, path.account));
    return undefined;
  },
  resetAccount: (sandbox, { path }) => describe(sandbox.resetAccount(accountOf(sandbox, path.account))),
  getAllowance: (sandbox, { path }) => allowanceOf(accountOf(sandbox, path.account)),

  getClock: (sandbox, { path }) => clock.readClock(accountOf(sandbox, path.account)),
  setClock: (sandbox, { path, body }) => clock.setClock(accountOf(sandbox, path.account), body),
  advanceClock: (sandbox, { path, body }) => clock.advance(accountOf(sandbox, path.account), body),

  listEmails: (sandbox, { path }) => accountOf(sandbox, path.account).outbox.emails().map(withoutMoment),
  listDeliveries: (sandbox, { path }) => accountOf(sandbox, path.account).deliveries.all().map(withoutMoment),
  listSuppressed: (sandbox, { path }) => suppressedOf(accountOf(sandbox, path.account)),

  listChannels: (sandbox, { path }) => channelsOf(accountOf(sandbox, path.account)),

  adjustCard: (sandbox, { path, body }) => {
    const account = accountOf(sandbox, path.account);
    return dashboard.adjust(account, cardOf(account, path.card), body);
  },
  getTimeline: (sandbox, { path }) => {
    const account = accountOf(sandbox, path.account);
    return timelineOf(account, cardOf(account, path.card).id);
  },
};
