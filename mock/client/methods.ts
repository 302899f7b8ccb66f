import type { ControlGroups } from '../control/generated/groups.ts';
import { operationTable } from '../control/generated/operations.ts';
import type { operations } from '../control/generated/types.ts';
import type { ControlCall } from './call.ts';

type Id = keyof typeof operationTable & keyof operations;

/** Makes the methods of a group from the control API's document: `x-client: merchant.addCard` makes `account.merchant.addCard(…)`. */
export function controlMethods<Group extends keyof ControlGroups>(
  call: ControlCall,
  account: string,
  group: Group,
): ControlGroups[Group] {
  const methods = Object.entries(operationTable).flatMap(([id, { path, last, client }]) => {
    const [first, method] = client.split('.');
    if (first !== group || method === undefined) return [];
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'account');
    const send = async (...values: unknown[]) => {
      const inPath = Object.fromEntries(names.map((name, index) => [name, values[index]]));
      const rest = last === '' ? {} : { [last]: values[names.length] };
      return call(id as Id, { path: { account, ...inPath }, ...rest } as object);
    };
    return [[method, send]];
  });
  return Object.fromEntries(methods) as ControlGroups[Group];
}
