/** Returns a proxy. Each read of a property, at any depth, calls `onRead`. The same object always gets the same proxy. */
export function withReads<T extends object>(value: T, onRead: () => void, proxies = new WeakMap<object, object>()): T {
  const get = (target: T, name: string | symbol) => {
    const inner: unknown = Reflect.get(target, name);
    // The report's copy of a response is not part of the response.
    if (name === 'exchange') return inner;
    onRead();
    return typeof inner === 'object' && inner !== null ? withReads(inner, onRead, proxies) : inner;
  };
  const proxy = proxies.get(value) ?? new Proxy(value, { get });
  proxies.set(value, proxy);
  return proxy as T;
}
