import { shortList } from '../core/card-list.ts';
import { type Looked, looked } from '../core/preflight.ts';
import type { Session } from '../core/session.ts';

const taken = ['secondKey', 'proKey', 'plusKey', 'enterpriseKey'] as const;
const refused = ['deletedKey', 'basicKey'] as const;

/** Looks whether the keys of the profile are what it says of them; a sentence for each that is not, in which no key stands. */
export function keysTold(session: Session): Promise<Looked<string[]>> {
  const { target, client } = session;
  const { profile } = target;
  return looked(session, async () => {
    const told: string[] = [];
    const status = async (key: string) => (await client.send({ ...shortList, key })).status;
    for (const name of taken) {
      const key = profile[name];
      if (key === undefined) continue;
      const answered = await status(key);
      if (answered === 401 || answered === 403)
        told.push(
          `${name} is refused with ${answered}, so that nothing that needs it can be judged: set it right, or leave it out`,
        );
    }
    if (profile.secondKey === target.key) told.push('secondKey is the key itself, and must be one of another account');
    for (const name of refused) {
      const key = profile[name];
      if (key !== undefined && (await status(key)) === 200) told.push(`${name} is taken, and should be refused`);
    }
    return told;
  });
}
