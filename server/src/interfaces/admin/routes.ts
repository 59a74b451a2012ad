import type { HttpScope } from '../../platform/http/server.ts';
import { approvalRoutes } from './approval-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { bankStatementRoutes } from './bank-statement-routes.ts';
import { disbursementBatchRoutes, disbursementRoutes } from './disbursement-routes.ts';
import { adminKeyRoutes } from './key-routes.ts';
import { ledgerRoutes } from './ledger-routes.ts';
import { bankAccountRoutes } from './merchants/bank-account-routes.ts';
import { disbursementTermsRoutes } from './merchants/disbursement-routes.ts';
import { keyRoutes } from './merchants/key-routes.ts';
import { merchantRoutes } from './merchants/routes.ts';
import { topUpRoute } from './merchants/top-up-route.ts';
import { noticeRoutes } from './notice-routes.ts';
import { operatorRoutes } from './operator-routes.ts';
import { paymentRoutes } from './payment-routes.ts';
import { reconciliationRoutes } from './reconciliations/routes.ts';
import { reviewRoutes } from './review-routes.ts';
import type { AdminServices } from './services.ts';
import { settlementRoutes } from './settlement-routes.ts';
import { staffRoutes } from './staff-routes.ts';
import { suspenseRoutes } from './suspense-routes.ts';
import { systemRoutes } from './system-routes.ts';

/** Everything under `/admin/v1`. */
export function adminRoutes(scope: HttpScope, services: AdminServices): void {
  merchantRoutes(scope, services);
  bankAccountRoutes(scope, services);
  disbursementTermsRoutes(scope, services);
  topUpRoute(scope, services);
  keyRoutes(scope, services);
  paymentRoutes(scope, services);
  disbursementRoutes(scope, services);
  disbursementBatchRoutes(scope, services);
  reviewRoutes(scope, services);
  settlementRoutes(scope, services);
  bankStatementRoutes(scope, services);
  approvalRoutes(scope, services);
  ledgerRoutes(scope, services);
  suspenseRoutes(scope, services);
  reconciliationRoutes(scope, services);
  operatorRoutes(scope, services);
  noticeRoutes(scope, services);
  systemRoutes(scope, services);
  auditRoutes(scope, services);
  staffRoutes(scope, services);
  adminKeyRoutes(scope, services);
}
