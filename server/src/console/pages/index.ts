import type { ConsolePage } from '../page.ts';
import { auditPage } from './audit.ts';
import { moneyPage } from './money.ts';
import { paymentPage } from './payment.ts';
import { paymentsPage } from './payments.ts';
import { settlementItemsFile, settlementPage } from './settlement.ts';
import { settlementsPage } from './settlements.ts';
import { statementFile, statementPage } from './statement.ts';

/** Every page of a merchant. The test of roles and routes walks this list, and so does docs/console.md. */
export const pages: readonly ConsolePage[] = [
  paymentsPage,
  paymentPage,
  moneyPage,
  settlementsPage,
  settlementPage,
  settlementItemsFile,
  statementPage,
  statementFile,
  auditPage,
];
