import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Whether requests to the target would arrive at the proxy itself, which listens at host and port. */
export async function leadsToProxy(target: string, host: string, port: number): Promise<boolean> {
  const { hostname, protocol, port: named } = new URL(target);
  if (Number(named || (protocol === 'https:' ? 443 : 80)) !== port) return false;
  const own = new BlockList();
  const add = (address: string) => own.addAddress(address, familyOf(address));
  for (const address of await addressesOf(host)) {
    if (!anyAddress.has(address)) add(address);
    else {
      own.addSubnet('127.0.0.0', 8, 'ipv4');
      const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
      for (const { address: interfaceAddress } of all) if (isIPv6(address) || !isIPv6(interfaceAddress)) add(interfaceAddress);
    }
  }
  const meant = await addressesOf(hostname.replace(/^\[|\]$/g, ''));
  return meant.map((address) => anyAddress.get(address) ?? address).some((address) => own.check(address, familyOf(address)));
}

/** "Any address", with the address that requests to it reach. */
const anyAddress = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Empty for a name that cannot be resolved. */
async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return addresses.map(({ address }) => address);
}
