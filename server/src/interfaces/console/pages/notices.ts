import { kindsOf } from '../../../operations/notifications/audience.ts';
import type { ConsolePage } from '../page.ts';
import { noticesPageOf } from '../parts/notices.ts';

/** A member's notices about this merchant and mode. */
export const noticesPage: ConsolePage = noticesPageOf({
  permission: 'payments.read',
  place: 'MERCHANT',
  shelfOf: ({ person, tenantId, held }) => ({
    personId: person.id,
    tenantId,
    kinds: kindsOf(held),
  }),
});
