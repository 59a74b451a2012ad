import type { StaffPage } from '../page.ts';
import { staffApprovalsPage } from './approvals.ts';
import { staffHomePage } from './home.ts';
import { merchantPage } from './merchant.ts';
import { merchantsPage } from './merchants.ts';
import { reversalsPage } from './reversals.ts';
import { reviewPage } from './review.ts';
import { reviewsPage } from './reviews.ts';
import { staffSettlementPage } from './settlement.ts';
import { staffSettlementsPage } from './settlements.ts';
import { suspensePage } from './suspense.ts';
import { staffTeamPage } from './team.ts';
import { workPage } from './work.ts';

/** Every page of the staff. The test of roles and routes walks this list. */
export const staffPages: readonly StaffPage[] = [
  staffHomePage,
  merchantsPage,
  merchantPage,
  reviewsPage,
  reviewPage,
  staffApprovalsPage,
  staffSettlementsPage,
  staffSettlementPage,
  suspensePage,
  reversalsPage,
  staffTeamPage,
  workPage,
];
