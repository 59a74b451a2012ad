import type { StaffPage } from '../page.ts';
import { adminKeyPage } from './admin-key.ts';
import { adminKeysPage } from './admin-keys.ts';
import { staffApprovalsPage } from './approvals.ts';
import { staffAuditPage } from './audit.ts';
import { verificationPage } from './audit-verification.ts';
import { backupsPage } from './backups.ts';
import { bankStatementPage } from './bank-statement.ts';
import { bankStatementsPage } from './bank-statements.ts';
import { staffDisbursementPage } from './disbursement.ts';
import { staffBatchPage } from './disbursement-batch.ts';
import { doctorPage } from './doctor.ts';
import { staffHomePage } from './home.ts';
import { ledgerPage } from './ledger.ts';
import { merchantPage } from './merchant.ts';
import { merchantsPage } from './merchants.ts';
import { newAdminKeyPage } from './new-admin-key.ts';
import { newBankStatementPage } from './new-bank-statement.ts';
import { newReconciliationPage } from './new-reconciliation.ts';
import { staffNoticesPage } from './notices.ts';
import { operatorPage } from './operator.ts';
import { operatorsPage } from './operators.ts';
import { staffPaymentPage } from './payment.ts';
import { staffPaymentsPage } from './payments.ts';
import { postingsPage } from './postings.ts';
import { processesPage } from './processes.ts';
import { reconciliationPage } from './reconciliation.ts';
import { reconciliationCsvPage } from './reconciliation-csv.ts';
import { differencePage } from './reconciliation-difference.ts';
import { reconciliationsPage } from './reconciliations.ts';
import { reversalsPage } from './reversals.ts';
import { reviewPage } from './review.ts';
import { reviewsPage } from './reviews.ts';
import { payoutOrderPage, staffSettlementPage } from './settlement.ts';
import { staffSettlementsPage } from './settlements.ts';
import { staffMovementsFile, staffStatementPage } from './statement.ts';
import { suspensePage } from './suspense.ts';
import { staffTeamPage } from './team.ts';
import { topUpPage } from './top-up.ts';
import { workPage } from './work-queue.ts';

/** Every staff page. The test of roles and routes follows this list. */
export const staffPages: readonly StaffPage[] = [
  staffHomePage,
  merchantsPage,
  merchantPage,
  topUpPage,
  operatorsPage,
  operatorPage,
  reconciliationsPage,
  newReconciliationPage,
  reconciliationPage,
  differencePage,
  reconciliationCsvPage,
  reviewsPage,
  reviewPage,
  staffApprovalsPage,
  staffSettlementsPage,
  staffSettlementPage,
  payoutOrderPage,
  bankStatementsPage,
  newBankStatementPage,
  bankStatementPage,
  staffStatementPage,
  staffMovementsFile,
  suspensePage,
  reversalsPage,
  staffTeamPage,
  workPage,
  staffPaymentsPage,
  staffPaymentPage,
  staffBatchPage,
  staffDisbursementPage,
  ledgerPage,
  postingsPage,
  doctorPage,
  processesPage,
  backupsPage,
  staffAuditPage,
  verificationPage,
  adminKeysPage,
  newAdminKeyPage,
  adminKeyPage,
  staffNoticesPage,
];
