// Importing this file declares all probes.
import './accounts.ts';
import './adjustments.ts';
import './automation.ts';
import './cards.ts';
import './creating.ts';
import './deliveries.ts';
import './http.ts';
import './idempotency.ts';
import './lists.ts';
import './names.ts';
