// The tests, in the contract's order. Importing this file declares them.
import './adjustments.ts';
import './adjustment-history.ts';
import './authentication.ts';
import './card-create.ts';
import './card-lookup.ts';
import './card-void.ts';
import './errors.ts';
import './idempotency.ts';
import './lists.ts';
