import { Misfit } from './misfit.ts';

/** Counts the forms that a snapshot had; one of another form is refused. */
export const VERSION = 1;

/** Throws a Misfit for a snapshot of another form. */
export function mustBeOfThisForm(version: unknown): void {
  if (version !== VERSION)
    throw new Misfit(
      `it has form ${JSON.stringify(version)}, and this version of the sandbox reads form ${VERSION}; take it anew.`,
    );
}
