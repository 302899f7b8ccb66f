import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Whether what is sent to the target would arrive at who listens there, who would then pass it on to himself for ever. */
export async function isOwnEar(target: string, host: string, port: number): Promise<boolean> {
  const { hostname, protocol, port: named } = new URL(target);
  if (Number(named || (protocol === 'https:' ? 443 : 80)) !== port) return false;
  const heard = new BlockList();
  const hear = (address: string) => heard.addAddress(address, familyOf(address));
  for (const address of await addressesOf(host)) {
    if (!anywhere.has(address)) hear(address);
    else {
      heard.addSubnet('127.0.0.0', 8, 'ipv4');
      for (const { address: own } of Object.values(networkInterfaces()).flatMap((each) => each ?? []))
        if (isIPv6(address) || !isIPv6(own)) hear(own);
    }
  }
  const meant = await addressesOf(hostname.replace(/^\[|\]$/g, ''));
  return meant.some((address) => {
    const reached = anywhere.get(address) ?? address;
    return heard.check(reached, familyOf(reached));
  });
}

/** Who sends to "any address" reaches this machine; who listens there hears what is sent to any of its own. */
const anywhere = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** A name that leads nowhere has none; whoever uses it says so. */
async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}
