import { signal } from '@preact/signals';
import createClient from 'openapi-fetch';
import type { Complaint, paths as ControlPaths } from '../../mock/control/generated/types.ts';
import type { paths as ServicePaths } from '../../openapi/generated/types.ts';
import { route } from './router.ts';
import { selectedAccount } from './session.ts';

/** The address of the control API. The page has this address. */
const controlUrl = new URL('.', location.href).href;

export const control = createClient<ControlPaths>({ baseUrl: controlUrl });

/** Headers of a request to the service. The advice is about other clients than the dashboard. */
export const serviceHeaders = (apiKey: string) => ({ 'x-api-key': apiKey, 'x-sandbox-dashboard': '1' });

/** Returns a client of the service with the account's key. Throws if the account has no key that the service accepts. */
export function serviceClient() {
  const { apiKey, id } = selectedAccount() ?? {};
  if (!apiKey) throw new Error(`The account ${id} has no key that the service accepts, and only the service manages webhooks.`);
  return createClient<ServicePaths>({ baseUrl: new URL('..', location.href).href, headers: serviceHeaders(apiKey) });
}

/** Path parameters of the selected account: `control.GET('/accounts/{account}/outbox', { params: { path: here() } })`. */
export const here = () => ({ account: route.value.account });

/** True after the control API has refused the page's token, or the lack of one. */
export const isTokenMissing = signal(false);

type Call<T> = Promise<{ readonly data?: T; readonly error?: unknown; readonly response: Response }>;

/** openapi-fetch describes a readonly array as an object with the properties of arrays. This type has the array again. */
type Plain<T> = T extends { readonly [index: number]: infer Item; readonly map: unknown }
  ? readonly Plain<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Plain<T[Name]> }
    : T;

/** Returns the data of a response. Throws an Error with the sentence of the control API or of the service. */
export async function dataOf<T>(call: Call<T>): Promise<Plain<T>> {
  const { data, error, response } = await call.catch(() => {
    throw new Error('The sandbox does not respond. Is it still running?');
  });
  if (response.ok) return data as Plain<T>;
  if (response.status === 401 && response.url.startsWith(controlUrl)) isTokenMissing.value = true;
  throw new Error(sentenceOf(error) ?? `The sandbox returned ${response.status}.`);
}

function sentenceOf(error: unknown): string | undefined {
  if (typeof error === 'string') return error || undefined;
  const { error: sentence, problems } = (error ?? {}) as Partial<Complaint>;
  return problems ? problems.join(' ') : sentence;
}
