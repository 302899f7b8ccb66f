import { setTimeout as pause } from 'node:timers/promises';
import { overridesFor } from '../../openapi/effective/names.ts';
import { type NameQuestion, names as nameTable } from '../../openapi/generated/names.ts';
import { targetNow } from '../core/clock.ts';
import { probe, type Unlisted } from '../core/rule.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import {
  amountOf,
  arrays,
  arraysIn,
  certainIdOf,
  containsText,
  entriesWith,
  instantOf,
  instantOfAny,
  type Leaf,
  leaves,
  mentions,
  placeOf,
  stepsTo,
} from '../http/json-search.ts';
import { Untested } from '../safety/policy.ts';
import { ownRecords } from '../safety/record-cleanup.ts';
import { cardIdField, mustAdjust, sendHistory } from '../scenarios/adjustments.ts';
import { amounts, cardWithHistory, entriesOf, notes, typePath } from '../scenarios/card-views.ts';
import { byEmail, createCard, getByCode } from '../scenarios/cards.ts';
import { channelLookup } from '../scenarios/channels.ts';
import { orUndefined } from '../scenarios/controls.ts';
import { businessProfile, currencyPath, timeZonePath } from '../scenarios/currency.ts';
import { eventAndRepeats, type SentEvent, unmatchedEvent } from '../scenarios/events.ts';
import { fullCard, plainFields, sentCards } from '../scenarios/shared-cards.ts';
import { getWebhookList, registerInEveryWay } from '../scenarios/webhooks.ts';

/** Paths of known values in a response, by name in the contract. The path is '' without a wrapper, and undefined if the value was not found. */
type Paths = Readonly<Record<string, string | undefined>>;

/** Returns the names that the target uses, with overrides that make the contract match. `paths` and `record` show the names. */
function observed(question: NameQuestion['question'], paths: Paths, record: unknown = undefined): Unlisted {
  const rows = nameTable
    .filter((row) => row.question === question)
    .map((row) => {
      const [target = ''] = row.targets;
      const [, own = ''] = target.split('.');
      const path = paths[target];
      return { row, target, own, name: path === undefined ? listedName(record, own, row.alternatives) : stepsTo(path) };
    });
  const found = rows.filter(({ name }) => name !== undefined);
  if (found.length === 0) throw new Untested('fact-missing', 'the run found none of the properties that this question is about');
  const others = found.filter(({ own, name }) => name !== own);
  const missing = rows.filter(({ own, name }) => name === undefined && own !== '');
  const texts = [
    ...others.map(({ target, name }) => `${target} is ${name || 'the whole response'}`),
    ...missing.map(({ target }) => `${target} is not found`),
  ];
  const overrides = others.flatMap(({ row, name = '' }) => overridesFor(row, name));
  return { text: texts.join(', ') || 'as in the contract', overrides };
}

function listedName(record: unknown, own: string, alternatives: readonly string[]): string | undefined {
  const [name, ...others] = [own, ...alternatives].filter((each) => Object.hasOwn(Object(record), each));
  return others.length === 0 ? name : undefined;
}

function onlyPath(json: unknown, fits: (leaf: Leaf) => boolean): string | undefined {
  const [found, ...others] = leaves(json).filter(fits);
  return others.length === 0 ? found?.path : undefined;
}

const isTime = ({ path, value }: Leaf) => instantOf(value) !== undefined && !/\/\d+\//.test(path);

probe('names.gift-card', {}, async (t) => {
  const on = await createCard(t, { balance: 1.75 });
  // After two adjustments, the initial value is neither the balance nor the sum of top-ups.
  await pause(1_100);
  await mustAdjust(t, on, 0.14);
  await mustAdjust(t, on, -0.11);
  const before = on.response.json;
  const after = mustSucceed(await getByCode(t, on.code), 'looking the card up').json;
  const was = (path: string) => instantOf(leaves(before).find((leaf) => leaf.path === path)?.value);
  const updated = leaves(after).find(
    (leaf) => isTime(leaf) && was(leaf.path) !== undefined && was(leaf.path) !== instantOf(leaf.value),
  );
  const start = updated && was(updated.path);
  const created = leaves(after).find((leaf) => {
    if (!isTime(leaf) || leaf.path === updated?.path) return false;
    return start === undefined ? /creat|issu/i.test(leaf.path) : Math.abs((instantOf(leaf.value) ?? 0) - start) < 5_000;
  });
  const expiry = instantOf(plainFields.expiresAtUtc);
  const full = await orUndefined(fullCard(t));
  const sent = await orUndefined(sentCards(t));
  const byAddress = sent && (await byEmail(t, sent.address, sent.older));
  return observed('names.gift-card', {
    'GiftCard.initialValue': onlyPath(after, ({ value }) => value === 1.75),
    'GiftCard.updatedAtUtc': updated?.path,
    'GiftCard.createdAtUtc': created?.path,
    'GiftCard.expiresAtUtc': leaves(full?.response.json).find(({ value }) => instantOf(value) === expiry)?.path,
    getGiftCardsByEmail: byAddress?.status === 200 ? arraysIn(byAddress.json)[0]?.path : undefined,
  });
});

probe('names.adjustment-history', {}, async (t) => {
  const on = await cardWithHistory(t);
  const response = await sendHistory(t, on.code);
  const entries = entriesOf(response);
  const inEach = (fits: (value: unknown, index: number) => boolean) => {
    const paths = entries.map(({ amount, entry }) =>
      leaves(entry).flatMap(({ path, value }) => (fits(value, amounts.indexOf(amount)) ? [path] : [])),
    );
    return paths[0]?.find((path) => paths.every((each) => each.includes(path)));
  };
  const isActioned = (value: unknown, index: number) => instantOf(value) === on.actioned[index];
  return observed('names.adjustment-history', {
    'AdjustmentHistory.giftCard': placeOf(response.json, ({ code, id }) => code === on.code || id === on.id),
    'AdjustmentHistory.adjustments': arraysIn(response.json).find(({ items }) => entriesWith(items, amounts))?.path,
    'Adjustment.amount': inEach((value, index) => amountOf(value) === amountOf(amounts[index] ?? 0)),
    'Adjustment.type': typePath(response, on),
    'Adjustment.notes': inEach((value, index) => containsText(value, notes[index])),
    'Adjustment.actionedAtUtc': inEach(isActioned),
    'Adjustment.createdAtUtc': inEach((value, index) => instantOf(value) !== undefined && !isActioned(value, index)),
  });
});

probe('names.adjustment-by-id', {}, async (t) => {
  const field = await cardIdField(t);
  return observed('names.adjustment-by-id', { 'AddAdjustmentByGiftCardIdRequest.giftCardId': `/${field}` });
});

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const looksLike: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^@\s]{1,64}@[^@\s.]+(\.[^@\s.]+)+$/.test(text),
  website: (text) => /^(https?:\/\/|www\.)\S+$/i.test(text),
  country: (text) => /^[A-Z]{2}$/.test(text) && regions.of(text) !== undefined,
};

probe('names.company-profile', {}, async (t) => {
  const profile = await businessProfile(t);
  const paths: Record<string, string | undefined> = { timeZone: timeZonePath(profile), currency: currencyPath(profile) };
  for (const [part, looks] of Object.entries(looksLike))
    paths[part] = onlyPath(profile, ({ value }) => typeof value === 'string' && looks(value));
  const known = new Set(Object.values(paths));
  paths.name = onlyPath(profile, ({ path, value }) => typeof value === 'string' && value !== '' && !known.has(path));
  const own = Object.entries(paths).map(([part, path]) => [`CompanyProfile.${part}`, path]);
  return observed('names.company-profile', Object.fromEntries(own), profile);
});

probe('names.webhook', {}, async (t) => {
  const { plain, lists } = await registerInEveryWay(t);
  mustSucceed(plain.response, 'registering a webhook');
  const [record] = ownRecords(lists.all, plain.entry);
  if (record === undefined) throw new Blocked('a registered webhook is not in the list');
  const [list, ...others] = arraysIn(await getWebhookList(t));
  const id = certainIdOf(record);
  const isRecent = ({ value }: Leaf) => Math.abs((instantOfAny(value) ?? 0) - targetNow(t)) < 3_600_000;
  const paths = {
    listWebhooks: others.length === 0 ? list?.path : undefined,
    'Webhook.id': onlyPath(record, ({ value }) => value === id),
    'Webhook.url': onlyPath(record, ({ value }) => value === plain.url),
    'Webhook.description': onlyPath(record, ({ value }) => value === plain.entry.mark),
    'Webhook.createdAtUtc': onlyPath(record, isRecent),
  };
  return observed('names.webhook', paths, record);
});

/** Returns the paths of names in the response to an event. An entry about an automation has two IDs: the card's and the automation's. */
function automationPaths({ response, cards }: SentEvent): { paths: Paths; run: unknown } {
  const lists = arraysIn(response.json).filter(({ items }) => items.length > 0);
  const isCard = (entry: unknown) => cards.some(({ record }) => record === entry);
  const runs = lists.find(({ items }) => items.every((entry) => mentions(entry, 'Created')));
  const [run] = runs?.items ?? [];
  const ids: unknown[] = cards.map(({ card: { id } }) => id);
  const rest = leaves(run).filter(({ value }) => ['string', 'number'].includes(typeof value) && value !== 'Created');
  const isId = ({ value }: Leaf) => typeof value === 'number' || /^(?=\S*\d)[\w-]{4,}$/.test(String(value));
  const isOther = ({ value }: Leaf) => rest.some((leaf) => leaf.value === value) && !ids.includes(value);
  const paths = {
    'AutomationTriggerEventResult.gift_cards': lists.find(({ items }) => items.every(isCard))?.path,
    'AutomationTriggerEventResult.automations': runs?.path,
    'AutomationRun.automation_id': onlyPath(run, (leaf) => isOther(leaf) && isId(leaf)),
    'AutomationRun.automation_name': onlyPath(run, (leaf) => isOther(leaf) && !isId(leaf) && instantOf(leaf.value) === undefined),
    'AutomationRun.gift_card_id': onlyPath(run, ({ value }) => ids.includes(value)),
  };
  return { paths, run };
}

probe('names.automation-response', {}, async (t) => {
  const { automationEvent } = t.run.profile;
  if (automationEvent) {
    const { first } = await eventAndRepeats(t, automationEvent);
    const { paths, run } = automationPaths(first);
    return observed('names.automation-response', paths, { ...Object(first.response.json), ...Object(run) });
  }
  const response = await unmatchedEvent(t);
  if (response.status !== 200) throw new Untested('fixture-missing', 'the profile has no automationEvent');
  return observed('names.automation-response', {}, response.json);
});

probe('names.channel-lookup', { needs: ['channelCard'] }, async (t: Trial) => {
  const { names, found, on } = await channelLookup(t);
  const operation = 'getGiftCardByAccountPlatformIdAndSourceId';
  return observed('names.channel-lookup', {
    [`${operation}.accountPlatformId`]: `/${names.platform}`,
    [`${operation}.sourceId`]: `/${names.source}`,
    [operation]: placeOf(found.json, ({ code, id }) => code === on.code || id === on.id),
  });
});

probe('names.coupon', {}, async (t) => {
  const response = await t.send('list coupons', { method: 'GET', path: '/api/WebStoreCoupon/List' });
  const [list] = arraysIn(response.json);
  if (response.status !== 200 || !list)
    throw new Untested(
      'fact-missing',
      `GET /api/WebStoreCoupon/List returned ${response.status}. The specification does not show the path of coupons`,
    );
  return observed('names.coupon', { listWebStoreCoupons: list.path }, arrays(response.json)[0]?.[0]);
});
