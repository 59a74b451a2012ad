import type { StaffPage } from '../page.ts';
import { staffHomePage } from './home.ts';
import { merchantPage } from './merchant.ts';
import { merchantsPage } from './merchants.ts';
import { reconciliationPage } from './reconciliation.ts';
import { reconciliationCsvPage } from './reconciliation-csv.ts';
import { differencePage } from './reconciliation-difference.ts';
import { newReconciliationPage } from './reconciliation-new.ts';
import { reconciliationsPage } from './reconciliations.ts';
import { staffTeamPage } from './team.ts';
import { workPage } from './work.ts';

/** Every page of the staff. The test of roles and routes walks this list. */
export const staffPages: readonly StaffPage[] = [
  staffHomePage,
  merchantsPage,
  merchantPage,
  reconciliationsPage,
  newReconciliationPage,
  reconciliationPage,
  differencePage,
  reconciliationCsvPage,
  staffTeamPage,
  workPage,
];
