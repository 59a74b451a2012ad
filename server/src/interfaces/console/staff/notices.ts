import { kindsOf } from '../../../operations/notifications/audience.ts';
import type { StaffPage } from '../page.ts';
import { noticesPageOf } from '../parts/notices.ts';

/** Staff notices, about the gateway and all merchants. */
export const staffNoticesPage: StaffPage = noticesPageOf({
  permission: 'notices.read',
  place: 'STAFF',
  shelfOf: ({ person, staffRole }) => ({
    personId: person.id,
    tenantId: null,
    kinds: kindsOf({ staffRole }),
  }),
});
