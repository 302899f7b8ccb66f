import type { Docket } from '../proxy/finding.ts';
import type { Read } from '../proxy/read.ts';
import type { SeenAccount } from './account.ts';
import { isBefore } from './span.ts';

/** A key that is good has an account, and that has a profile, for which nothing is asked. */
export function judgeProfile({ seen, status, parameters }: Read, { worked }: SeenAccount, docket: Docket): void {
  if (status !== 404 || !worked || !isBefore(worked, seen) || Object.keys(parameters).length > 0) return;
  docket.contradicts(
    'company.profile-answers',
    `The profile of a key that was good for exchange ${worked.n} is not found.`,
    worked.n,
    seen.n,
  );
}
