// The tests, in the contract's order. Importing this file declares them.
import './adjustment-history.ts';
import './adjustments.ts';
import './authentication.ts';
import './automation.ts';
import './card-create.ts';
import './card-lookup.ts';
import './card-void.ts';
import './company.ts';
import './deliveries.ts';
import './errors.ts';
import './http.ts';
import './idempotency.ts';
import './limits.ts';
import './lists.ts';
import './payload.ts';
import './states.ts';
import './webhooks.ts';
