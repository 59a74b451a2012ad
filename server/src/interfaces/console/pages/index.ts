import type { ConsolePage } from '../page.ts';
import { referencePage } from './api-reference.ts';
import { requestsPage } from './api-requests.ts';
import { approvalsPage } from './approvals.ts';
import { auditPage } from './audit.ts';
import { chargePage } from './charge.ts';
import { chargedPage } from './charge-result.ts';
import { checkoutSettingsPage } from './checkout-settings.ts';
import { deliveryPage } from './delivery.ts';
import { disbursementPage } from './disbursement.ts';
import { disbursementBatchPage, disbursementResultsFile } from './disbursement-batch.ts';
import { disbursementBatchesPage } from './disbursement-batches.ts';
import { disbursementUploadPage } from './disbursement-upload.ts';
import { disbursementsPage } from './disbursements.ts';
import { disbursementsFile } from './disbursements-export.ts';
import { endpointPage } from './endpoint.ts';
import { endpointsPage } from './endpoints.ts';
import { eventPage } from './event.ts';
import { eventsPage } from './events.ts';
import { feeStatementFile, feeStatementPage } from './fee-statement.ts';
import { homePage } from './home.ts';
import { keyPage } from './key.ts';
import { keysPage } from './keys.ts';
import { linkCodePage, linkLogoPage, linkPage, posterPage } from './link.ts';
import { linksPage } from './links.ts';
import { manifestPage } from './manifest.ts';
import { moneyPage } from './money.ts';
import { newDisbursementPage } from './new-disbursement.ts';
import { newEndpointPage } from './new-endpoint.ts';
import { newKeyPage } from './new-key.ts';
import { newLinkPage } from './new-link.ts';
import { noticesPage } from './notices.ts';
import { paymentPage } from './payment.ts';
import { paymentsPage } from './payments.ts';
import { paymentsExportPage } from './payments-export.ts';
import { newProductPage, productPage } from './product.ts';
import { productsPage } from './products.ts';
import { refundPage } from './refund.ts';
import { refundsPage } from './refunds.ts';
import {
  reusableCodePage,
  reusableLinkPage,
  reusableLogoPage,
  reusablePosterPage,
} from './reusable-link.ts';
import { reusableLinksPage } from './reusable-links.ts';
import { newRolePage, rolePage } from './role.ts';
import { rolesPage } from './roles.ts';
import { salesPage } from './sales.ts';
import { settingsColours, settingsLogo, settingsPage } from './settings.ts';
import { settlementItemsFile, settlementPage } from './settlement.ts';
import { settlementsPage } from './settlements.ts';
import { statementExcel, statementFile, statementPage } from './statement.ts';
import { movementsExcel, movementsFile } from './statement-movements.ts';
import { teamPage } from './team.ts';

const developerPages: readonly ConsolePage[] = [
  keysPage,
  newKeyPage,
  keyPage,
  endpointsPage,
  newEndpointPage,
  endpointPage,
  deliveryPage,
  eventsPage,
  eventPage,
  requestsPage,
  referencePage,
];

/** Every page of a merchant. The test of roles and routes and docs/console.md follow this list. */
export const pages: readonly ConsolePage[] = [
  homePage,
  paymentsPage,
  paymentsExportPage,
  paymentPage,
  refundPage,
  refundsPage,
  approvalsPage,
  chargePage,
  chargedPage,
  salesPage,
  manifestPage,
  linksPage,
  newLinkPage,
  reusableLinksPage,
  reusableLinkPage,
  reusableCodePage,
  reusableLogoPage,
  reusablePosterPage,
  linkPage,
  linkCodePage,
  linkLogoPage,
  posterPage,
  productsPage,
  newProductPage,
  productPage,
  settingsPage,
  settingsLogo,
  settingsColours,
  checkoutSettingsPage,
  teamPage,
  rolesPage,
  newRolePage,
  rolePage,
  noticesPage,
  ...developerPages,
  moneyPage,
  disbursementsPage,
  newDisbursementPage,
  disbursementsFile,
  disbursementBatchesPage,
  disbursementBatchPage,
  disbursementResultsFile,
  disbursementUploadPage,
  disbursementPage,
  settlementsPage,
  settlementPage,
  settlementItemsFile,
  feeStatementPage,
  feeStatementFile,
  statementPage,
  statementFile,
  statementExcel,
  movementsFile,
  movementsExcel,
  auditPage,
];
