import type { ConsolePage } from '../page.ts';
import { homePage } from './home.ts';
import { paymentPage } from './payment.ts';
import { paymentsPage } from './payments.ts';
import { paymentsExportPage } from './payments-export.ts';
import { refundPage } from './refund.ts';
import { refundsPage } from './refunds.ts';

/** Every page of a merchant. The test of roles and routes walks this list, and so does docs/console.md. */
export const pages: readonly ConsolePage[] = [
  homePage,
  paymentsPage,
  paymentsExportPage,
  paymentPage,
  refundPage,
  refundsPage,
];
