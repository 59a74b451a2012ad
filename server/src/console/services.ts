import type { Logger } from 'pino';
import type { Ask } from '../approvals/ask.ts';
import type { Decide } from '../approvals/decide.ts';
import type { ExportAudit } from '../audit/export.ts';
import type { AuditVerifier } from '../audit/verifier.ts';
import type { StaffCells } from '../cells/staff-cells.ts';
import type { CreateSession } from '../checkout/create.ts';
import type { ExpireSession } from '../checkout/expire.ts';
import type { ReceiptLinks } from '../checkout/receipt-link.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { OperatorName } from '../config/operator-catalogue.ts';
import type { Doctor } from '../doctor/doctor.ts';
import type { FourEyes, RefundLimits } from '../four-eyes.ts';
import type { Ids } from '../ids.ts';
import type { Mailer } from '../mail/send.ts';
import type { AskOperator } from '../operators/ask.ts';
import type { CheckOperator } from '../operators/check.ts';
import type { OperatorQueue } from '../operators/queue.ts';
import type { ChangeLink } from '../payment-links/change.ts';
import type { CreateLink } from '../payment-links/create.ts';
import type { LinkUrls } from '../payment-links/link-urls.ts';
import type { CancelPayment } from '../payments/cancel.ts';
import type { CreatePayment } from '../payments/create.ts';
import type { ExportPayments } from '../payments/export.ts';
import type { PeopleDependencies } from '../people/dependencies.ts';
import type { Database } from '../postgres/database.ts';
import type { ChangeProduct } from '../products/change.ts';
import type { CreateProduct } from '../products/create.ts';
import type { Reconciliations } from '../reconciliations/use-cases.ts';
import type { CreateRefund } from '../refunds/create.ts';
import type { ProcessSettlement } from '../settlements/create.ts';
import type { DailyRun } from '../settlements/daily-run.ts';
import type { CreateEndpoint } from '../webhooks/create-endpoint.ts';
import type { DeleteEndpoint } from '../webhooks/delete-endpoint.ts';
import type { Redeliver } from '../webhooks/deliveries/redeliver.ts';
import type { SendTestEvent } from '../webhooks/deliveries/test-event.ts';
import type { RotateSecret } from '../webhooks/rotate-secret.ts';
import type { UpdateEndpoint } from '../webhooks/update-endpoint.ts';

/** What pages call: the use cases beneath, the same as those of the API, and no other way to the data. */
export interface ConsoleServices {
  /** Of the cell whose merchants the page is about. What is of people is in `people.database`, whichever that is. */
  database: Database;
  /** Undefined where there is one cell. */
  cells: StaffCells | undefined;
  clock: Clock;
  ids: Ids;
  /** Where clients and customers reach the gateway. */
  publicUrl: string;
  checkOperator: CheckOperator;
  /** Where the API reference is; undefined where only operators reach it. */
  docsUrl: string | undefined;
  /** Whether keys that move real money may be made on this database. */
  allowsLiveKeys: boolean;
  /** What needs a second person. */
  refundApprovalAbove: RefundLimits;
  fourEyes: FourEyes;
  /** What each operator costs, and which of them take live payments. */
  fees: Config['fees'];
  liveOperators: readonly OperatorName[];
  /** Those that calls go to: the same, and the simulator. */
  operatorQueues: readonly OperatorQueue[];
  askOperator: AskOperator;
  /** When payouts are made by themselves. */
  dailyRun: DailyRun;
  createPayment: CreatePayment;
  cancelPayment: CancelPayment;
  exportPayments: ExportPayments;
  createRefund: CreateRefund;
  doctor: Doctor;
  auditVerifier: AuditVerifier;
  exportAudit: ExportAudit;
  askApproval: Ask;
  decideApproval: Decide;
  /** What staff do with operators' statements. */
  reconciliations: Reconciliations;
  createSession: CreateSession;
  expireSession: ExpireSession;
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
  /** For what the staff decide. */
  staff: { config: Config; log: Logger; payoutFolder: string };
  /** Undefined where no mail server is configured. */
  mailer: Mailer | undefined;
}
