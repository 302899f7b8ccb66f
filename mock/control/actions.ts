import type { Account } from '../account/account.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { Channel } from '../account/settings.ts';
import { redactorOf } from '../journal/redaction.ts';
import type { CardRecord } from '../state/records.ts';
import { allowanceOf, describe, standingOf, timelineOf } from './account-views.ts';
import { accountOf, addAccount, cardOf, health, reset, resetAccount } from './accounts.ts';
import type { Actions } from './action.ts';
import * as automations from './automations.ts';
import * as behaviors from './behaviors.ts';
import * as cards from './cards.ts';
import * as channels from './channels.ts';
import * as clock from './clock.ts';
import * as dashboard from './dashboard.ts';
import * as documents from './documents.ts';
import * as effects from './effects.ts';
import * as faults from './faults.ts';
import * as journal from './journal.ts';
import { operations } from './route.ts';
import * as settings from './settings.ts';
import * as snapshots from './snapshots.ts';

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

  saveState: snapshots.saveState,

  getContract: (sandbox, { query }) => documents.contract(speakerOf(sandbox, query.account)),
  getContractAsYaml: (sandbox, { query }) => documents.asYaml(documents.contract(speakerOf(sandbox, query.account))),
  getSandboxSnapshot: (sandbox) => snapshots.sandboxSnapshot(sandbox),
  putSandboxSnapshot: (sandbox, { body }) => snapshots.putSandboxSnapshot(sandbox, body),
  getReference: documents.referencePage,
  getControlDocument: documents.ownDocument,
  getControlReference: documents.ownReferencePage,
  getRenderer: documents.referenceRenderer,

  listAccounts: ({ accounts }) => Array.from(accounts.values(), describe),
  addAccount: (sandbox, { query, body }) => addAccount(sandbox, body, query.ttl),
  getAccount: (sandbox, { path }) => describe(accountOf(sandbox, path.account)),
  removeAccount: (sandbox, { path }) => {
    sandbox.accounts.remove(accountOf(sandbox, path.account));
    return undefined;
  },
  resetAccount: (sandbox, { path }) => resetAccount(sandbox, path.account),
  getAllowance: (sandbox, { path }) => allowanceOf(accountOf(sandbox, path.account)),

  getAccountSnapshot: (sandbox, { path }) => snapshots.accountSnapshot(sandbox, path.account),
  putAccountSnapshot: (sandbox, { path, body }) => snapshots.putAccountSnapshot(sandbox, path.account, body),

  getClock: (sandbox, { path }) => clock.readClock(accountOf(sandbox, path.account)),
  setClock: (sandbox, { path, body }) => clock.setClock(accountOf(sandbox, path.account), body),
  advanceClock: (sandbox, { path, body }) => clock.advance(accountOf(sandbox, path.account), body),

  listEmails: (sandbox, { path, query }) => effects.emailsOf(accountOf(sandbox, path.account), query),
  listDeliveries: (sandbox, { path, query }) => effects.deliveriesOf(accountOf(sandbox, path.account), query),
  settleAccount: async (sandbox, { path }) => {
    const account = accountOf(sandbox, path.account);
    await account.effects.settled();
    return standingOf(account);
  },
  listSuppressed: (sandbox, { path, query }) => effects.suppressedOf(accountOf(sandbox, path.account), query),
  resendDelivery: (sandbox, { path }) => effects.resend(accountOf(sandbox, path.account), path.requestId),
  fireDelivery: (sandbox, { path, body }) => {
    const account = accountOf(sandbox, path.account);
    return effects.fire(account, cardOf(account, body.card), body.topic);
  },

  listFaults: (sandbox, { path }) => faults.listFaults(accountOf(sandbox, path.account)),
  setFault: (sandbox, { path, body }) => faults.setFault(accountOf(sandbox, path.account), body),
  removeFault: (sandbox, { path }) => faults.removeFault(accountOf(sandbox, path.account), path.fault),
  clearFaults: (sandbox, { path }) => faults.clearFaults(accountOf(sandbox, path.account)),

  getBehaviors: (sandbox) => behaviors.behaviorsOf(sandbox),
  changeBehaviors: (sandbox, { body }) => behaviors.changeBehaviors(sandbox, sandbox, body),
  setBehaviors: (sandbox, { body }) => behaviors.setBehaviors(sandbox, sandbox, body),
  getBehaviorsOfAccount: (sandbox, { path }) => behaviors.behaviorsOf(accountOf(sandbox, path.account)),
  changeBehaviorsOfAccount: (sandbox, { path, body }) =>
    behaviors.changeBehaviors(sandbox, accountOf(sandbox, path.account), body),
  setBehaviorsOfAccount: (sandbox, { path, body }) => behaviors.setBehaviors(sandbox, accountOf(sandbox, path.account), body),

  changeSettings: (sandbox, { path, body }) => settings.changeSettings(accountOf(sandbox, path.account), body),
  addKey: (sandbox, { path, body }) => settings.addKey(sandbox, accountOf(sandbox, path.account), body),
  deleteKey: (sandbox, { path }) => settings.deleteKey(sandbox, accountOf(sandbox, path.account), path.key),

  listAutomations: (sandbox, { path }) => automations.automationsOf(accountOf(sandbox, path.account)),
  addAutomation: (sandbox, { path, body }) => automations.add(accountOf(sandbox, path.account), body),
  changeAutomation: (sandbox, { path, body }) => {
    const account = accountOf(sandbox, path.account);
    return automations.change(account, automations.automationOf(account, path.automation), body);
  },

  addCard: (sandbox, { path, body }) => cards.addCard(accountOf(sandbox, path.account), body),
  getCard: (sandbox, { path }) => cards.viewOf(...cardIn(sandbox, path)),
  deleteCard: (sandbox, { path }) => dashboard.remove(...cardIn(sandbox, path)),
  adjustCard: (sandbox, { path, body }) => dashboard.adjust(...cardIn(sandbox, path), body),
  voidCard: (sandbox, { path }) => dashboard.makeVoid(...cardIn(sandbox, path)),
  remindOfCard: (sandbox, { path }) => dashboard.remind(...cardIn(sandbox, path)),
  giveCard: (sandbox, { path, body }) => dashboard.give(...cardIn(sandbox, path), body),
  getTimeline: (sandbox, { path }) => {
    const [account, { id }] = cardIn(sandbox, path);
    return timelineOf(account, id);
  },

  payWithCard: (sandbox, { path, body }) => dashboard.pay(...cardIn(sandbox, path), body),
  refundToCard: (sandbox, { path, body }) => dashboard.refund(...cardIn(sandbox, path), body),
  redeemVoucher: (sandbox, { path, body }) => dashboard.redeem(...cardIn(sandbox, path), body),

  listJournal: (sandbox, { path, query: { card, ...filter } }) => {
    const account = accountOf(sandbox, path.account);
    const about = card === undefined ? undefined : cardOf(account, card);
    return journal.listJournal(account, about, filter, redactorOf(sandbox.accounts.values()));
  },
  getJournalEntry: (sandbox, { path }) =>
    journal.journalEntry(accountOf(sandbox, path.account), path.number, redactorOf(sandbox.accounts.values())),
  getChain: (sandbox, { path }) => journal.cardChain(...cardIn(sandbox, path), redactorOf(sandbox.accounts.values())),
  listAdvice: (sandbox, { path }) => journal.adviceOf(accountOf(sandbox, path.account), redactorOf(sandbox.accounts.values())),
  listSandboxJournal: (sandbox, { query }) => journal.listStrangers(sandbox, query),
  listSandboxAdvice: (sandbox) => journal.adviceOf(sandbox),

  listChannels: (sandbox, { path }) => channels.channelsOf(accountOf(sandbox, path.account)),
  connectChannel: (sandbox, { path, body }) => channels.connect(accountOf(sandbox, path.account), body),
  changeChannel: (sandbox, { path, body }) => channels.change(...channelIn(sandbox, path), body),
  disconnectChannel: (sandbox, { path }) => channels.disconnect(...channelIn(sandbox, path)),
  changeBalanceInChannel: (sandbox, { path, body }) => {
    const [account, channel] = channelIn(sandbox, path);
    return channels.drift(account, channel, cardOf(account, path.card), body);
  },
  failInChannel: (sandbox, { path, body }) => {
    const [account, channel] = channelIn(sandbox, path);
    return channels.fail(account, channel, cardOf(account, path.card), body);
  },
  retryInChannel: (sandbox, { path }) => {
    const [account, channel] = channelIn(sandbox, path);
    return channels.retry(account, channel, cardOf(account, path.card));
  },
};

/** The account and the card that a path names. */
function cardIn(sandbox: Sandbox, path: { readonly account: string; readonly card: string }): [Account, CardRecord] {
  const account = accountOf(sandbox, path.account);
  return [account, cardOf(account, path.card)];
}

function channelIn(sandbox: Sandbox, path: { readonly account: string; readonly channel: string }): [Account, Channel] {
  const account = accountOf(sandbox, path.account);
  return [account, channels.channelOf(account, path.channel)];
}

function speakerOf(sandbox: Sandbox, account: string | undefined) {
  return account === undefined ? sandbox : accountOf(sandbox, account);
}
