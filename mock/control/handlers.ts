import { redactorOf } from '../journal/redaction.ts';
import { allowanceOf, describe, standingOf, timelineOf } from './account-views.ts';
import { addAccount, health, reset, resetAccount } from './accounts.ts';
import * as automations from './automations.ts';
import * as behaviors from './behaviors.ts';
import * as cards from './cards.ts';
import * as channels from './channels.ts';
import * as clock from './clock.ts';
import * as dashboard from './dashboard.ts';
import * as documents from './documents.ts';
import * as effects from './effects.ts';
import * as faults from './faults.ts';
import controlDocument from './generated/control.json' with { type: 'json' };
import * as journal from './journal.ts';
import { operations } from './operations.ts';
import { accountOf, cardOf, type Handlers } from './resources.ts';
import * as settings from './settings.ts';
import * as snapshots from './snapshots.ts';

/**
 * The handler of each operation of the document. To add an operation:
 *
 * 1. Write it into openapi/paths/<topic>.yaml, its schemas into openapi/schemas/<topic>.yaml, and its path into openapi/openapi.yaml. Objects
 *    have `additionalProperties: false`. `x-client: group.method` makes it a method of accounts in the client.
 * 2. Run `npm run generate`. The table below does not compile until it has the operationId.
 * 3. Write the function in <topic>.ts: `(account, input) => reply`. The schema of the document checks its input before, and its reply after.
 *    The function first checks what depends on the account, and refuses it with ControlError. Then it changes the account.
 */
export const handlers: Handlers = {
  listOperations: () => ({
    document: '/__mock/control.json',
    reference: '/__mock/control-reference',
    paths: Object.fromEntries(operations.map(({ method, path, node }) => [`${method} ${path}`, String(node.summary)])),
  }),
  getHealth: ({ sandbox }) => health(sandbox),
  reset: ({ sandbox }) => reset(sandbox),
  saveState: ({ sandbox }) => snapshots.saveState(sandbox),
  getSandboxSnapshot: ({ sandbox }) => snapshots.sandboxSnapshot(sandbox),
  putSandboxSnapshot: ({ sandbox, body }) => snapshots.putSandboxSnapshot(sandbox, body),
  listSandboxJournal: ({ sandbox, query }) => journal.listSandboxJournal(sandbox, query),
  listSandboxAdvice: ({ sandbox }) => journal.adviceOf(sandbox, redactorOf(sandbox.accounts.values())),
  getBehaviors: ({ sandbox }) => behaviors.behaviorsOf(sandbox),
  changeBehaviors: ({ sandbox, body }) => behaviors.changeBehaviors(sandbox, sandbox, body),
  setBehaviors: ({ sandbox, body }) => behaviors.setBehaviors(sandbox, sandbox, body),

  getContract: ({ sandbox, query: { account } }) =>
    behaviors.documentOf(account === undefined ? sandbox.variant : accountOf(sandbox, account)),
  getContractAsYaml: ({ sandbox, query: { account } }) =>
    documents.asYaml(behaviors.documentOf(account === undefined ? sandbox.variant : accountOf(sandbox, account))),
  getReference: documents.referencePage,
  getControlDocument: () => controlDocument,
  getControlReference: documents.controlReferencePage,
  getRenderer: documents.referenceRenderer,

  listAccounts: ({ sandbox }) => Array.from(sandbox.accounts.values(), describe),
  addAccount: ({ sandbox, query, body }) => addAccount(sandbox, body, query.ttl),
  getAccount: ({ account }) => describe(account),
  removeAccount: ({ sandbox, account }) => {
    sandbox.accounts.remove(account);
    return undefined;
  },
  resetAccount: ({ sandbox, path }) => resetAccount(sandbox, path.account),
  getAccountSnapshot: ({ sandbox, account }) => snapshots.accountSnapshot(sandbox, account),
  putAccountSnapshot: ({ sandbox, path, body }) => snapshots.putAccountSnapshot(sandbox, path.account, body),
  getBehaviorsOfAccount: ({ account }) => behaviors.behaviorsOf(account),
  changeBehaviorsOfAccount: ({ sandbox, account, body }) => behaviors.changeBehaviors(sandbox, account, body),
  setBehaviorsOfAccount: ({ sandbox, account, body }) => behaviors.setBehaviors(sandbox, account, body),

  getClock: ({ account }) => clock.readClock(account),
  setClock: ({ account, body }) => clock.setClock(account, body),
  advanceClock: ({ account, body }) => clock.advance(account, body),

  listEmails: ({ account, query }) => effects.emailsOf(account, query),
  listDeliveries: ({ account, query }) => effects.deliveriesOf(account, query),
  listSuppressed: ({ account, query }) => effects.suppressedOf(account, query),
  resendDelivery: ({ account, path }) => effects.resend(account, path.requestId),
  fireDelivery: ({ account, body }) => effects.fire(account, cardOf(account, body.card), body.topic),
  settleAccount: async ({ account }) => {
    await account.effects.settled();
    return standingOf(account);
  },

  listFaults: ({ account }) => faults.listFaults(account),
  setFault: ({ account, body }) => faults.setFault(account, body),
  removeFault: ({ account, path }) => faults.removeFault(account, path.fault),
  clearFaults: ({ account }) => faults.clearFaults(account),

  changeSettings: ({ account, body }) => settings.changeSettings(account, body),
  addKey: ({ sandbox, account, body }) => settings.addKey(sandbox, account, body),
  deleteKey: ({ sandbox, account, path }) => settings.deleteKey(sandbox, account, path.key),
  getAllowance: ({ account }) => allowanceOf(account),
  listAutomations: ({ account }) => automations.automationsOf(account),
  addAutomation: ({ account, body }) => automations.add(account, body),
  changeAutomation: ({ account, automation, body }) => automations.change(account, automation, body),

  addCard: ({ account, body }) => cards.addCard(account, body),
  getCard: ({ account, card }) => cards.viewOf(account, card),
  deleteCard: ({ account, card }) => dashboard.deleteCard(account, card),
  adjustCard: ({ account, card, body }) => dashboard.adjust(account, card, body),
  voidCard: ({ account, card }) => dashboard.voidCard(account, card),
  remindOfCard: ({ account, card }) => dashboard.remind(account, card),
  giveCard: ({ account, card, body }) => dashboard.give(account, card, body),
  getTimeline: ({ account, card }) => timelineOf(account, card.id),
  payWithCard: ({ account, card, body }) => dashboard.pay(account, card, body),
  refundToCard: ({ account, card, body }) => dashboard.refund(account, card, body),
  redeemVoucher: ({ account, card, body }) => dashboard.redeem(account, card, body),

  listJournal: ({ sandbox, account, query: { card, ...filter } }) => {
    const about = card === undefined ? undefined : cardOf(account, card);
    return journal.listJournal(account, about, filter, redactorOf(sandbox.accounts.values()));
  },
  getJournalEntry: ({ sandbox, account, path }) =>
    journal.journalEntry(account, path.number, redactorOf(sandbox.accounts.values())),
  getChain: ({ sandbox, account, card }) => journal.cardChain(account, card, redactorOf(sandbox.accounts.values())),
  listAdvice: ({ sandbox, account }) => journal.adviceOf(account, redactorOf(sandbox.accounts.values())),

  listChannels: ({ account }) => channels.channelsOf(account),
  connectChannel: ({ account, body }) => channels.connect(account, body),
  changeChannel: ({ account, channel, body }) => channels.change(account, channel, body),
  disconnectChannel: ({ account, channel }) => channels.disconnect(account, channel),
  changeBalanceInChannel: ({ account, channel, card, body }) => channels.drift(account, channel, card, body),
  failInChannel: ({ account, channel, card, body }) => channels.fail(account, channel, card, body),
  retryInChannel: ({ account, channel, card }) => channels.retry(account, channel, card),
};
