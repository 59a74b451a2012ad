import type { StaffPage } from '../page.ts';
import { staffHomePage } from './home.ts';
import { merchantPage } from './merchant.ts';
import { merchantsPage } from './merchants.ts';
import { staffNoticesPage } from './notices.ts';
import { staffTeamPage } from './team.ts';
import { workPage } from './work.ts';

/** Every page of the staff. The test of roles and routes walks this list. */
export const staffPages: readonly StaffPage[] = [
  staffHomePage,
  merchantsPage,
  merchantPage,
  staffTeamPage,
  workPage,
  staffNoticesPage,
];
