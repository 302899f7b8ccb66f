import { Client, type Waiting } from './client.ts';
import { Names } from './names.ts';
import type { Target } from './target.ts';
import { TransportError, Untested } from './verdict.ts';

/** One GET before anything is created: is somebody there, and is the key taken? Answers with the trouble, or with nothing. */
export async function preflight(target: Target, time?: Waiting): Promise<string | undefined> {
  const names = new Names();
  names.learn(target.key, '«key»');
  const client = new Client(target, names, time);
  try {
    const { status } = await client.send({ method: 'GET', path: '/api/GiftCard/List', query: { pageSize: 1 } });
    if (status === 401 || status === 403)
      return `The target ${target.url} refuses the key: GET /api/GiftCard/List answered ${status}.`;
    return undefined;
  } catch (error) {
    if (error instanceof TransportError) return `The target ${target.url} could not be reached: ${error.message}.`;
    if (error instanceof Untested) return `The target ${target.url} lets no request through: ${error.message}.`;
    throw error;
  } finally {
    await client.close();
  }
}
