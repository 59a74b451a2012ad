import type { Logger } from 'pino';
import type { Decide } from '../../backoffice/approvals/decide.ts';
import type { RequestApproval } from '../../backoffice/approvals/request-approval.ts';
import type { Reconciliations } from '../../backoffice/reconciliations/use-cases.ts';
import type { Mailer } from '../../integrations/mail/send.ts';
import type { CheckOperator } from '../../integrations/operators/check.ts';
import type { AskOperator } from '../../integrations/operators/probe.ts';
import type { OperatorQueue } from '../../integrations/operators/queue.ts';
import type { WalletNames } from '../../integrations/operators/wallet-names.ts';
import type { CreateEndpoint } from '../../integrations/webhooks/create-endpoint.ts';
import type { DeleteEndpoint } from '../../integrations/webhooks/delete-endpoint.ts';
import type { Redeliver } from '../../integrations/webhooks/deliveries/redeliver.ts';
import type { SendTestEvent } from '../../integrations/webhooks/deliveries/send-test-event.ts';
import type { RotateSecret } from '../../integrations/webhooks/rotate-secret.ts';
import type { UpdateEndpoint } from '../../integrations/webhooks/update-endpoint.ts';
import type { CancelBatch } from '../../money/disbursements/batches/cancel.ts';
import type { CreateBatch, PreviewBatch } from '../../money/disbursements/batches/create.ts';
import type { RetryBatch } from '../../money/disbursements/batches/retry.ts';
import type { CancelDisbursement } from '../../money/disbursements/cancel.ts';
import type { CreateDisbursement } from '../../money/disbursements/create.ts';
import type { LookUpName } from '../../money/disbursements/look-up-name.ts';
import type { CancelPayment } from '../../money/payments/cancel.ts';
import type { CreatePayment } from '../../money/payments/create.ts';
import type { ExportPayments } from '../../money/payments/export.ts';
import type { CreateRefund } from '../../money/refunds/create.ts';
import type { ProcessSettlement } from '../../money/settlements/create.ts';
import type { DailyRun } from '../../money/settlements/daily-run-time.ts';
import type { Doctor } from '../../operations/doctor/doctor.ts';
import type { ExportAudit } from '../../platform/audit/export.ts';
import type { AuditVerifier } from '../../platform/audit/verifier.ts';
import type { Config } from '../../platform/config/config.ts';
import type { DisbursementSettings } from '../../platform/config/disbursement-variables.ts';
import type { OperatorName } from '../../platform/config/operator-catalogue.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { AmountLimits, FourEyes } from '../../platform/values/four-eyes.ts';
import type { Ids } from '../../platform/values/ids.ts';
import type { CreateSession } from '../../storefront/checkout/create.ts';
import type { ExpireSession } from '../../storefront/checkout/expire.ts';
import type { ReceiptLinks } from '../../storefront/checkout/receipt-link.ts';
import type { ChangeCheckoutSettings } from '../../storefront/checkout/settings/change.ts';
import type { ChangeLink } from '../../storefront/payment-links/change.ts';
import type { CreateLink } from '../../storefront/payment-links/create.ts';
import type { LinkUrls } from '../../storefront/payment-links/link-urls.ts';
import type { ChangeProduct } from '../../storefront/products/change.ts';
import type { CreateProduct } from '../../storefront/products/create.ts';
import type { StaffCells } from '../../tenants/cells/staff-cells.ts';
import type { PeopleDependencies } from '../../tenants/people/dependencies.ts';

/** The use cases that pages call, the same as the API's: pages have no other access to data. */
export interface ConsoleServices {
  /**
   * The database of the cell of the page's merchants. Data about people is in `people.database`,
   * regardless of the cell.
   */
  database: Database;
  /** Undefined with a single cell. */
  cells: StaffCells | undefined;
  clock: Clock;
  ids: Ids;
  /** The gateway's address for clients and customers. */
  publicUrl: string;
  checkOperator: CheckOperator;
  /** The address of the API reference; undefined if only operators can reach it. */
  docsUrl: string | undefined;
  /** Whether this database allows live keys. */
  allowsLiveKeys: boolean;
  /** Actions that need a second person. */
  refundApprovalAbove: AmountLimits;
  fourEyes: FourEyes;
  /** The fee of each operator, and which operators take live payments. */
  fees: Config['fees'];
  liveOperators: readonly OperatorName[];
  /** Operators that get calls: the same, and the simulator. */
  operatorQueues: readonly OperatorQueue[];
  askOperator: AskOperator;
  /** When automatic payouts run. */
  dailyRun: DailyRun;
  disbursementSettings: Pick<DisbursementSettings, 'isOn' | 'fees' | 'approvalAbove'>;
  createBatch: CreateBatch;
  previewBatch: PreviewBatch;
  retryBatch: RetryBatch;
  cancelBatch: CancelBatch;
  createDisbursement: CreateDisbursement;
  walletNames: Pick<WalletNames, 'isOffered'>;
  lookUpName: LookUpName;
  cancelDisbursement: CancelDisbursement;
  createPayment: CreatePayment;
  cancelPayment: CancelPayment;
  exportPayments: ExportPayments;
  createRefund: CreateRefund;
  doctor: Doctor;
  auditVerifier: AuditVerifier;
  exportAudit: ExportAudit;
  askApproval: RequestApproval;
  decideApproval: Decide;
  /** Staff actions on operators' statements. */
  reconciliations: Reconciliations;
  createSession: CreateSession;
  expireSession: ExpireSession;
  changeCheckoutSettings: ChangeCheckoutSettings;
  createLink: CreateLink;
  changeLink: ChangeLink;
  linkUrls: LinkUrls;
  createProduct: CreateProduct;
  changeProduct: ChangeProduct;
  processSettlement: ProcessSettlement;
  createEndpoint: CreateEndpoint;
  updateEndpoint: UpdateEndpoint;
  rotateSecret: RotateSecret;
  deleteEndpoint: DeleteEndpoint;
  redeliver: Redeliver;
  sendTestEvent: SendTestEvent;
  receiptLinks: ReceiptLinks;
  people: PeopleDependencies;
  /** For staff decisions. */
  staff: { config: Config; log: Logger; payoutFolder: string };
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
}
