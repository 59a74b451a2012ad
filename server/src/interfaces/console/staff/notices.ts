import { kindsOf } from '../../../operations/notifications/audience.ts';
import type { StaffPage } from '../page.ts';
import { noticesPageOf } from '../parts/notices.ts';

/** What staff have to hear of, of the gateway and of all merchants. */
export const staffNoticesPage: StaffPage = noticesPageOf({
  permission: 'notices.read',
  place: 'STAFF',
  shelfOf: ({ person, staffRole }) => ({
    personId: person.id,
    tenantId: null,
    kinds: kindsOf({ staffRole }),
  }),
});
