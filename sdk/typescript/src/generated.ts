// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.
export type Balance = {
  /** One for each currency in which there was ever money; there are no pages. */
  data: Array<CurrencyBalance>;
};

export type CheckoutCompletedEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'checkout.completed';
  data: CheckoutSession;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type CheckoutExpiredEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'checkout.expired';
  data: CheckoutSession;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type CheckoutSession = {
  /** Chosen by Zimbo; never changes. */
  id: string;
  /** The payment page. Anyone with the link can pay. */
  url: string;
  /** The sum, in centavos. */
  amount: string;
  currency: Currency;
  status: CheckoutSessionStatus;
  /** Where "back to the shop" leads: an absolute URL, which may open an app. It must not contain a user name or use the schemes javascript, data, vbscript, file or blob. */
  returnUrl: string | null;
  /** Where the customer goes after paying. Arriving there does not prove payment. */
  completionUrl: string | null;
  /** What you call the customer. Not interpreted, and not shown to the customer. At most 255 characters. */
  customerId: string | null;
  /** The payment of the latest attempt. */
  paymentIntentId: string | null;
  /** What is paid for. */
  items: Array<CheckoutSessionItem>;
  /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
  metadata: Record<string, unknown> | null;
  /** Until when the customer can pay, in UTC. */
  expiresAt: string;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it last changed, in UTC. */
  updatedAt: string;
  /** What is paid for. It is copied to the payments of the session. At most 255 characters. */
  description?: string | undefined;
  /** What you call the order. Need not be unique. It is copied to the payments of the session. At most 255 characters. */
  externalId?: string | undefined;
};

export type CheckoutSessionItem = {
  /** Chosen by Zimbo; never changes. */
  id: string;
  /** Your product that it refers to; null if there is none. */
  productId: string | null;
  /** What customers read. At most 255 characters. */
  name: string;
  /** A text of your own. */
  description: string | null;
  /** How many. 1 to 9999. */
  quantity: number;
  /** In centavos. */
  unitPrice: string;
  currency: Currency;
};

export type CheckoutSessionList = {
  /** The objects on this page. */
  data: Array<CheckoutSession>;
  /** Whether there is another page in this direction. */
  hasMore: boolean;
};

export type CheckoutSessionStatus = 'OPEN' | 'COMPLETED' | 'EXPIRED';

export type CheckoutSettings = {
  /** The sites that may show the payment page inside their pages, as checkout.js does: https origins, and with a test key also http on localhost. Empty: none. */
  frameOrigins: Array<string>;
};

export type CreateCheckoutSessionBody = {
  /** What is paid for. Give items or amount, not both. */
  items?: Array<NewCheckoutSessionItem> | null | undefined;
  /** A fixed amount, in centavos. Give amount or items, not both. 1 to 100000000. */
  amount?: number | null | undefined;
  currency?: Currency | null | undefined;
  /** What you call the order. Need not be unique. It is copied to the payments of the session. At most 255 characters. */
  externalId?: string | null | undefined;
  /** What you call the customer. Not interpreted, and not shown to the customer. At most 255 characters. */
  customerId?: string | null | undefined;
  /** What is paid for. It is copied to the payments of the session. At most 255 characters. */
  description?: string | null | undefined;
  /** Where "back to the shop" leads: an absolute URL, which may open an app. It must not contain a user name or use the schemes javascript, data, vbscript, file or blob. At most 2048 characters. */
  returnUrl?: string | null | undefined;
  /** Where the customer goes after paying. Arriving there does not prove payment. At most 2048 characters. */
  completionUrl?: string | null | undefined;
  /** 1440 by default. 5 to 1440. */
  expiresInMinutes?: number | null | undefined;
  /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type CreateDisbursementBatchBody = {
  /** The rows; each is what POST /v1/disbursements takes. */
  items: Array<CreateDisbursementBody>;
  /** What you call it, such as the number of your order. Need not be unique. At most 255 characters. */
  externalId?: string | null | undefined;
  /** A text of your own. At most 255 characters. */
  description?: string | null | undefined;
  /** The batch whose rows this one tries again. */
  retryOf?: string | null | undefined;
};

export type CreateDisbursementBody = {
  /** In centavos, the smallest unit of both currencies. 1 to 100000000. */
  amount: number;
  operator: Operator;
  /** The recipient's phone: + and 8 to 15 digits, of which the first is not 0. It may be written as people paste it: separators, what cannot be seen and `tel:` are removed, and 00 means +. At most 64 characters. */
  operatorPhone: string;
  currency?: Currency | null | undefined;
  /** What you call it, such as the number of your order. Need not be unique. At most 255 characters. */
  externalId?: string | null | undefined;
  /** What you call the customer. Not interpreted, and not shown to the customer. At most 255 characters. */
  customerId?: string | null | undefined;
  /** A text of your own. At most 255 characters. */
  description?: string | null | undefined;
  /** What the customer should read on the operator's statement. The operator gets the first 160 characters, and may pass them on. At most 255 characters. */
  statementDescriptor?: string | null | undefined;
  /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type CreatePaymentBody = {
  /** In centavos, the smallest unit of both currencies. 1 to 100000000. */
  amount: number;
  operator: Operator;
  /** The customer's phone: + and 8 to 15 digits, of which the first is not 0. It may be written as people paste it: separators, what cannot be seen and `tel:` are removed, and 00 means +. At most 64 characters. */
  operatorPhone: string;
  currency?: Currency | null | undefined;
  /** What you call it, such as the number of your order. Need not be unique. At most 255 characters. */
  externalId?: string | null | undefined;
  /** What you call the customer. Not interpreted, and not shown to the customer. At most 255 characters. */
  customerId?: string | null | undefined;
  /** A text of your own. At most 255 characters. */
  description?: string | null | undefined;
  /** What the customer should read on the operator's statement. The operator gets the first 160 characters, and may pass them on. At most 255 characters. */
  statementDescriptor?: string | null | undefined;
  /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type CreatePaymentLinkBody = {
  /** What is paid for. The customer reads it, and the payments carry it. At most 255 characters. */
  description: string;
  /** An active product of yours, at its price when the link is used. */
  productId?: string | null | undefined;
  /** A fixed amount, in centavos. 1 to 100000000. */
  amount?: number | null | undefined;
  /** The least that a customer may choose, in centavos. 1 to 100000000. */
  minAmount?: number | null | undefined;
  /** The most that a customer may choose, in centavos. 1 to 100000000. */
  maxAmount?: number | null | undefined;
  currency?: Currency | null | undefined;
  /** Where "back to the shop" leads, on the pages of its sessions. At most 2048 characters. */
  returnUrl?: string | null | undefined;
  /** Where the customer goes after paying. Arriving there does not prove payment. At most 2048 characters. */
  completionUrl?: string | null | undefined;
  /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
  metadata?: Record<string, unknown> | null | undefined;
  /** How many sessions it may make. Null: any number. 1 to 1000000. */
  maxUses?: number | null | undefined;
  /** When it ends. Null: it does not. */
  expiresAt?: string | null | undefined;
};

export type CreateProductBody = {
  /** What customers read. At most 255 characters. */
  name: string;
  /** In centavos. 0 to 999999999999. */
  price: number;
  /** A text of your own. */
  description?: string | null | undefined;
  currency?: Currency | null | undefined;
  /** Whether new checkout sessions may refer to it. */
  active?: boolean | null | undefined;
  /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type CreateRefundBody = {
  /** The payment. */
  paymentIntentId: string;
  /** In centavos. By default, everything that is left of the payment. 1 to 9007199254740991. */
  amount?: number | null | undefined;
  /** The reason, in your own words. At most 255 characters. */
  reason?: string | null | undefined;
  /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type CreateWebhookEndpointAnswer = {
  /** Chosen by Zimbo; never changes. */
  id: string;
  /** http or https; with a live key, https only. It must not contain a user name. At most 2048 characters. */
  url: string;
  /** The event types to send to it. Duplicates are removed. */
  events: Array<SubscribedEventType>;
  status: WebhookEndpointStatus;
  disabledReason?: DisabledReason | undefined;
  /** A text of your own. */
  description: string | null;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it last changed, in UTC. */
  updatedAt: string;
  /** The signing secret. It is shown only in this answer, so store it. Absent from a repeated answer once the secret was rotated again. */
  secret?: string | undefined;
};

export type CreateWebhookEndpointBody = {
  /** http or https; with a live key, https only. It must not contain a user name. At most 2048 characters. */
  url: string;
  /** The event types to send to it. Duplicates are removed. */
  events: Array<SubscribedEventType>;
  /** A text of your own. */
  description?: string | null | undefined;
};

export type Currency = 'CVE' | 'AOA';

export type CurrencyBalance = {
  currency: Currency;
  /** What no settlement has taken yet, in centavos. */
  available: string;
  /** On its way to the bank, in centavos. */
  pending: string;
  /** On its way back to customers, in centavos. */
  refundsInTransit: string;
  /** On its way to wallets, in centavos. */
  disbursementsInTransit?: string | undefined;
  /** What settlements leave available, where that was agreed, in centavos. */
  keepBalance?: string | undefined;
};

export type DisabledReason = 'GONE' | 'FAILING';

export type Disbursement = {
  /** Chosen by Zimbo; never changes. */
  id: string;
  /** What you call it, such as the number of your order. Need not be unique. At most 255 characters. */
  externalId: string | null;
  /** The batch that it belongs to. */
  batchId: string | null;
  /** The amount that the recipient gets, in centavos. */
  amount: string;
  currency: Currency;
  /** The fee, which is taken from the balance beside the amount, in centavos. */
  feeAmount: string;
  operator: Operator;
  /** Masked (+238•••••45) for a key without phones:read; null after it has been erased. */
  operatorPhone: string | null;
  /** The operator’s transaction. On a FAILED disbursement, the sign that it succeeded after all. */
  operatorTxId: string | null;
  status: DisbursementStatus;
  failureCode: DisbursementFailureCode | null;
  /** Why it failed, for people to read; null if it did not. */
  failureMessage: string | null;
  /** A text of your own. At most 255 characters. */
  description: string | null;
  /** What the customer should read on the operator's statement. The operator gets the first 160 characters, and may pass them on. At most 255 characters. */
  statementDescriptor: string | null;
  /** What you call the customer. Not interpreted, and not shown to the customer. At most 255 characters. */
  customerId: string | null;
  /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
  metadata: Record<string, unknown> | null;
  /** If it could not be sent until then, it fails. */
  expiresAt: string;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it last changed, in UTC. */
  updatedAt: string;
};

export type DisbursementBatch = {
  /** Chosen by Zimbo; never changes. */
  id: string;
  /** What you call it, such as the number of your order. Need not be unique. At most 255 characters. */
  externalId: string | null;
  /** A text of your own. At most 255 characters. */
  description: string | null;
  status: DisbursementBatchStatus;
  /** How many rows it has. */
  itemCount: number;
  currency: Currency | null;
  /** The amounts of all rows; null with several currencies, in centavos. */
  amount: string | null;
  /** The fees of all rows; null with several currencies, in centavos. */
  feeAmount: string | null;
  /** By currency, as requested, whatever has become of the rows. */
  totals: Array<DisbursementBatchTotal>;
  counts: DisbursementBatchCounts;
  /** The batch whose rows it tries again. */
  retryOf: string | null;
  /** A warning: this earlier batch had exactly the same rows. */
  duplicateOf: string | null;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it last changed, in UTC. */
  updatedAt: string;
  /** When its last row ended. */
  completedAt: string | null;
};

export type DisbursementBatchCompletedEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'disbursement_batch.completed';
  data: DisbursementBatch;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type DisbursementBatchCounts = {
  /** Not sent yet; also rows whose disbursement is not created yet. */
  created: number;
  /** Sent to the operator. */
  processing: number;
  /** Paid. */
  succeeded: number;
  /** Failed, for example because the balance did not cover them. */
  failed: number;
  /** Cancelled. */
  cancelled: number;
};

export type DisbursementBatchList = {
  /** The objects on this page. */
  data: Array<DisbursementBatch>;
  /** Whether there is another page in this direction. */
  hasMore: boolean;
};

export type DisbursementBatchStatus = 'CREATED' | 'PROCESSING' | 'COMPLETED';

export type DisbursementBatchTotal = {
  currency: Currency;
  /** The amounts of all rows, in centavos. */
  amount: string;
  /** The fees of all rows, in centavos. */
  feeAmount: string;
};

export type DisbursementCancelledEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'disbursement.cancelled';
  data: Disbursement;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type DisbursementCreatedEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'disbursement.created';
  data: Disbursement;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type DisbursementFailedEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'disbursement.failed';
  data: Disbursement;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type DisbursementFailureCode = 'PAYEE_NOT_FOUND' | 'PAYEE_LIMIT_REACHED' | 'PAYEE_NOT_ALLOWED' | 'PAYEE_UNREACHABLE' | 'INSUFFICIENT_BALANCE' | 'OPERATOR_UNAVAILABLE' | 'OPERATOR_REJECTED' | 'OPERATOR_ERROR';

export type DisbursementList = {
  /** The objects on this page. */
  data: Array<Disbursement>;
  /** Whether there is another page in this direction. */
  hasMore: boolean;
};

export type DisbursementStatus = 'CREATED' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

export type DisbursementSucceededEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'disbursement.succeeded';
  data: Disbursement;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type Event = PaymentCreatedEvent | PaymentDebitedEvent | PaymentSettledEvent | PaymentFailedEvent | PaymentExpiredEvent | PaymentCancelledEvent | RefundCreatedEvent | RefundSucceededEvent | RefundFailedEvent | CheckoutCompletedEvent | CheckoutExpiredEvent | SettlementCompletedEvent | OperatorStatusChangedEvent | DisbursementCreatedEvent | DisbursementSucceededEvent | DisbursementFailedEvent | DisbursementCancelledEvent | DisbursementBatchCompletedEvent | WebhookTestEvent;

export type EventList = {
  /** The objects on this page. */
  data: Array<Event>;
  /** Whether there is another page in this direction. */
  hasMore: boolean;
};

export type EventType = 'payment.created' | 'payment.debited' | 'payment.settled' | 'payment.failed' | 'payment.expired' | 'payment.cancelled' | 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'checkout.completed' | 'checkout.expired' | 'settlement.completed' | 'operator.status_changed' | 'disbursement.created' | 'disbursement.succeeded' | 'disbursement.failed' | 'disbursement.cancelled' | 'disbursement_batch.completed' | 'webhook.test';

export type EventTypeFilter = 'payment.created' | 'payment.debited' | 'payment.settled' | 'payment.failed' | 'payment.expired' | 'payment.cancelled' | 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'checkout.completed' | 'checkout.expired' | 'settlement.completed' | 'operator.status_changed' | 'disbursement.created' | 'disbursement.succeeded' | 'disbursement.failed' | 'disbursement.cancelled' | 'disbursement_batch.completed' | 'webhook.test' | 'payment.*' | 'refund.*' | 'checkout.*' | 'settlement.*' | 'operator.*' | 'disbursement.*' | 'disbursement_batch.*' | 'webhook.*';

export type FailureCode = 'INSUFFICIENT_FUNDS' | 'PAYER_NOT_FOUND' | 'PAYER_LIMIT_REACHED' | 'AMOUNT_OUT_OF_RANGE' | 'PAYER_DECLINED' | 'PAYER_AUTH_FAILED' | 'PAYER_UNREACHABLE' | 'PAYER_BUSY' | 'PAYER_NOT_ALLOWED' | 'CONFIRMATION_TIMEOUT' | 'OPERATOR_UNAVAILABLE' | 'OPERATOR_REJECTED' | 'OPERATOR_ERROR';

export type NewCheckoutSessionItem = {
  /** An active product of yours. */
  productId?: string | null | undefined;
  /** What customers read. At most 255 characters. */
  name: string;
  /** A text of your own. */
  description?: string | null | undefined;
  /** How many. 1 to 9999. */
  quantity: number;
  /** In centavos. 1 to 100000000. */
  unitPrice: number;
};

export type Operator = 'CVMOVEL' | 'UNITEL_TMAIS' | 'MOCK';

export type OperatorDetails = {
  name: Operator;
  /** What customers call it. */
  label: string;
  /** ISO 3166 country code. */
  country: string | null;
  /** The currencies of its payments. */
  currencies: Array<Currency>;
  /** How its numbers begin. Only a hint: customers take their numbers to other operators. */
  prefixes: Array<string>;
  status: OperatorStatus;
  /** Null: for as long as the gateway knows. */
  statusSince: string | null;
  /** The smallest payment, in centavos. */
  minAmount: string;
  /** The largest payment, in centavos. */
  maxAmount: string;
  /** How long customers have to confirm. */
  confirmationSeconds: number;
  prompt: OperatorPrompt;
};

export type OperatorDetailsList = {
  /** The objects on this page. */
  data: Array<OperatorDetails>;
  /** Whether there is another page in this direction. */
  hasMore: boolean;
};

export type OperatorPrediction = {
  /** The phone, as it is stored. */
  phone: string;
  /** ISO 3166 country code. */
  country: string | null;
  currency: Currency | null;
  operator: Operator | null;
  /** The operators that a payment of this phone may go through, the likely ones first. */
  candidates: Array<Operator>;
};

export type OperatorPrompt = {
  /** In Portuguese. */
  pt: string;
  /** In English. */
  en: string;
};

export type OperatorStatus = 'UP' | 'DEGRADED' | 'DOWN';

export type OperatorStatusChangedEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'operator.status_changed';
  data: OperatorDetails;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type Payment = {
  /** Chosen by Zimbo; never changes. */
  id: string;
  /** What you call it, such as the number of your order. Need not be unique. At most 255 characters. */
  externalId: string | null;
  /** The amount, in centavos. */
  amount: string;
  currency: Currency;
  /** The fee, in centavos. */
  feeAmount: string;
  /** The amount minus the fee, in centavos. */
  netAmount: string;
  operator: Operator;
  /** Masked (+238•••••45) for a key without phones:read; +00000000 after it has been erased. */
  operatorPhone: string;
  /** The operator's identifier for the transaction; null while it is not known. */
  operatorTxId: string | null;
  status: PaymentStatus;
  failureCode: FailureCode | null;
  /** Why it failed, for people to read; null if it did not. */
  failureMessage: string | null;
  /** A text of your own. At most 255 characters. */
  description: string | null;
  /** What the customer should read on the operator's statement. The operator gets the first 160 characters, and may pass them on. At most 255 characters. */
  statementDescriptor: string | null;
  /** What you call the customer. Not interpreted, and not shown to the customer. At most 255 characters. */
  customerId: string | null;
  /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
  metadata: Record<string, unknown> | null;
  /** Until when the customer can pay, in UTC. */
  expiresAt: string;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it last changed, in UTC. */
  updatedAt: string;
  /** The checkout session that this payment tries to pay, if any. */
  checkoutSessionId?: string | undefined;
};

export type PaymentCancelledEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'payment.cancelled';
  data: Payment;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type PaymentCreatedEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'payment.created';
  data: Payment;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type PaymentDebitedEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'payment.debited';
  data: Payment;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type PaymentExpiredEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'payment.expired';
  data: Payment;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type PaymentFailedEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'payment.failed';
  data: Payment;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type PaymentLink = {
  /** Chosen by Zimbo; never changes. */
  id: string;
  /** Each use of it makes a checkout session. */
  url: string;
  /** A short address of the same page, for posters and messages. */
  shortUrl: string;
  /** What is paid for. The customer reads it, and the payments carry it. At most 255 characters. */
  description: string;
  /** Your product that it refers to; null if there is none. */
  productId: string | null;
  /** The fixed amount, in centavos. */
  amount: string | null;
  /** The least that a customer may choose, in centavos. */
  minAmount: string | null;
  /** The most that a customer may choose, in centavos. */
  maxAmount: string | null;
  currency: Currency;
  /** Where "back to the shop" leads, on the pages of its sessions. */
  returnUrl: string | null;
  /** Where the customer goes after paying. Arriving there does not prove payment. */
  completionUrl: string | null;
  /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
  metadata: Record<string, unknown> | null;
  /** Whether it can be used: false pauses it. */
  active: boolean;
  /** How many sessions it has made. */
  uses: number;
  /** How many sessions it may make. Null: any number. 1 to 1000000. */
  maxUses: number | null;
  /** When it ends. Null: it does not. */
  expiresAt: string | null;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it last changed, in UTC. */
  updatedAt: string;
};

export type PaymentLinkList = {
  /** The objects on this page. */
  data: Array<PaymentLink>;
  /** Whether there is another page in this direction. */
  hasMore: boolean;
};

export type PaymentList = {
  /** The objects on this page. */
  data: Array<Payment>;
  /** Whether there is another page in this direction. */
  hasMore: boolean;
};

export type PaymentSettledEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'payment.settled';
  data: Payment;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type PaymentStatus = 'CREATED' | 'OPERATOR_PENDING' | 'USER_CONFIRMING' | 'DEBITED' | 'SETTLED' | 'FAILED' | 'EXPIRED' | 'REFUNDED' | 'PARTIALLY_REFUNDED' | 'CANCELLED';

export type PredictOperatorBody = {
  /** In any spelling that a payment takes. At most 64 characters. */
  phone: string;
};

export type ProcessSettlementBody = {
  currency?: Currency | null | undefined;
};

export type Product = {
  /** Chosen by Zimbo; never changes. */
  id: string;
  /** What customers read. At most 255 characters. */
  name: string;
  /** A text of your own. */
  description: string | null;
  /** The price, in centavos. */
  price: string;
  currency: Currency;
  /** Whether new checkout sessions may refer to it. */
  active: boolean;
  /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
  metadata: Record<string, unknown> | null;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it last changed, in UTC. */
  updatedAt: string;
};

export type ProductList = {
  /** The objects on this page. */
  data: Array<Product>;
  /** Whether there is another page in this direction. */
  hasMore: boolean;
};

export type RedeliverWebhookEventsAnswer = {
  /** How many events are sent again. After 10000, a request ends with the millisecond of the last one. */
  count: number;
  /** The value of since for the next request; null if all events have been sent again. */
  nextSince: string | null;
};

export type RedeliverWebhookEventsBody = {
  /** The start of the range. */
  since: string;
  /** The end of the range. By default, now. */
  until?: string | null | undefined;
  status?: WebhookDeliveryStatus | null | undefined;
};

export type Refund = {
  /** Chosen by Zimbo; never changes. */
  id: string;
  /** The payment. */
  paymentIntentId: string;
  /** The amount, in centavos. */
  amount: string;
  currency: Currency;
  status: RefundStatus;
  /** The reason, in your own words. At most 255 characters. */
  reason: string | null;
  failureCode: FailureCode | null;
  /** Why it failed, for people to read; null if it did not. */
  failureMessage: string | null;
  /** The operator's identifier for the refund; null while it is not known. */
  operatorRefundId: string | null;
  /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
  metadata: Record<string, unknown> | null;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it last changed, in UTC. */
  updatedAt: string;
  /** The externalId of its payment, if any. */
  externalId?: string | undefined;
  /** The checkout session that its payment paid, if any. */
  checkoutSessionId?: string | undefined;
};

export type RefundCreatedEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'refund.created';
  data: Refund;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type RefundFailedEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'refund.failed';
  data: Refund;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type RefundList = {
  /** The objects on this page. */
  data: Array<Refund>;
  /** Whether there is another page in this direction. */
  hasMore: boolean;
};

export type RefundStatus = 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED';

export type RefundSucceededEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'refund.succeeded';
  data: Refund;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type RotateWebhookSecretAnswer = {
  /** Chosen by Zimbo; never changes. */
  id: string;
  /** http or https; with a live key, https only. It must not contain a user name. At most 2048 characters. */
  url: string;
  /** The event types to send to it. Duplicates are removed. */
  events: Array<SubscribedEventType>;
  status: WebhookEndpointStatus;
  disabledReason?: DisabledReason | undefined;
  /** A text of your own. */
  description: string | null;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it last changed, in UTC. */
  updatedAt: string;
  /** The signing secret. It is shown only in this answer, so store it. Absent from a repeated answer once the secret was rotated again. */
  secret?: string | undefined;
  /** When the old secret stops signing. */
  overlapEndsAt: string;
};

export type RotateWebhookSecretBody = {
  /** For how many hours deliveries are also signed with the old secret. By default, 24. 0 to 72. */
  overlapHours?: number | null | undefined;
  /** Whether to rotate although an earlier overlap is under way, which ends then: the secret of before it stops signing. By default, false. */
  endOverlap?: boolean | null | undefined;
};

export type Settlement = {
  /** Chosen by Zimbo; never changes. */
  id: string;
  /** The merchant. */
  merchantId: string;
  /** The total of its debits before fees, in centavos. */
  amount: string;
  /** The fees of its debits and disbursements, less those of disbursements that came back, in centavos. */
  feeTotal: string;
  /** Refunds sent minus refunds that came back, in centavos. */
  refundTotal: string;
  /** Disbursements minus those that came back, and what stays in the balance minus what the settlement before left there, in centavos. */
  disbursementTotal?: string | undefined;
  /** What is paid out: amount - feeTotal - refundTotal - disbursementTotal, in centavos. */
  netAmount: string;
  currency: Currency;
  status: SettlementStatus;
  /** Where the period begins, in UTC. */
  periodStart: string;
  /** Where the period ends, in UTC; that instant is no longer part of it. */
  periodEnd: string;
  /** The reference of the payout at the bank. */
  payoutRef: string | null;
  /** The number of its items: debits, refunds and disbursements, what came back of these, and what stays in the balance. */
  itemCount: number;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it was handed over for payout, in UTC; null before that. */
  processedAt: string | null;
  /** When it was completed, in UTC; null before that. */
  completedAt: string | null;
};

export type SettlementCompletedEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'settlement.completed';
  data: Settlement;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type SettlementItem = {
  /** The id of the payment, refund or disbursement. If it came back, a refund has the prefix rb_ here, and a disbursement db_. KEPT has the id of the settlement that left it in the balance with the prefix kp_, and KEPT_RETURNED, in the settlement after it, with kb_. */
  id: string;
  type: SettlementItemType;
  /** Of a payment or refund; null for a disbursement. */
  paymentIntentId: string | null;
  /** The refund; null if it is a payment. */
  refundId: string | null;
  /** The amount of the payment, refund or disbursement, in centavos. */
  amount: string;
  /** The fee of the payment or disbursement, in centavos. */
  feeAmount: string;
  /** What it adds to the settlement, negative for a refund or disbursement, in centavos. */
  netAmount: string;
  currency: Currency;
  /** When it was made, in UTC. */
  createdAt: string;
  /** Of a disbursement; null for a payment or refund. */
  disbursementId: string | null;
};

export type SettlementItemList = {
  /** The objects on this page. */
  data: Array<SettlementItem>;
  /** Whether there is another page in this direction. */
  hasMore: boolean;
};

export type SettlementItemType = 'PAYMENT' | 'REFUND' | 'REFUND_RETURNED' | 'DISBURSEMENT' | 'DISBURSEMENT_RETURNED' | 'DISBURSEMENT_CHARGED' | 'TOP_UP' | 'KEPT' | 'KEPT_RETURNED';

export type SettlementList = {
  /** The objects on this page. */
  data: Array<Settlement>;
  /** Whether there is another page in this direction. */
  hasMore: boolean;
};

export type SettlementStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';

export type Statement = {
  /** The merchant. */
  merchantId: string;
  /** Which month it is of. */
  month: string;
  currency: Currency;
  /** Where its days begin and end. */
  timeZone: string;
  /** When the month begins. */
  from: string;
  /** Does not belong to it. */
  until: string;
  /** Whether the month has ended. */
  isOver: boolean;
  /** What was available when the month began, in centavos. */
  openingBalance: string;
  /** What customers paid, in centavos. */
  amount: string;
  /** The fees of that and of disbursements, in centavos. */
  feeTotal: string;
  /** Refunds sent minus refunds that came back, in centavos. */
  refundTotal: string;
  /** Disbursements minus those that came back, in centavos. */
  disbursementTotal?: string | undefined;
  /** Payouts minus payouts that came back, in centavos. */
  payoutTotal: string;
  /** What was available when it ended, or is now, in centavos. */
  closingBalance: string;
  /** Those on which something moved. */
  days: Array<StatementDay>;
};

export type StatementDay = {
  /** In that time zone. */
  day: string;
  /** What customers paid, in centavos. */
  amount: string;
  /** The fees of that and of disbursements, in centavos. */
  feeTotal: string;
  /** Refunds sent minus refunds that came back, in centavos. */
  refundTotal: string;
  /** Disbursements minus those that came back, in centavos. */
  disbursementTotal?: string | undefined;
  /** Payouts minus payouts that came back, in centavos. */
  payoutTotal: string;
  /** What was available at the end of the day, in centavos. */
  closingBalance: string;
};

export type SubscribedEventType = 'payment.created' | 'payment.debited' | 'payment.settled' | 'payment.failed' | 'payment.expired' | 'payment.cancelled' | 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'checkout.completed' | 'checkout.expired' | 'settlement.completed' | 'operator.status_changed' | 'disbursement.created' | 'disbursement.succeeded' | 'disbursement.failed' | 'disbursement.cancelled' | 'disbursement_batch.completed';

export type UpdateCheckoutSettingsBody = {
  /** The sites that may show the payment page inside their pages, as checkout.js does: https origins, and with a test key also http on localhost. Empty: none. */
  frameOrigins?: Array<string> | null | undefined;
};

export type UpdatePaymentLinkBody = {
  /** What is paid for. The customer reads it, and the payments carry it. At most 255 characters. */
  description?: string | undefined;
  /** Whether it can be used: false pauses it. */
  active?: boolean | undefined;
  /** How many sessions it may make. Null: any number. 1 to 1000000. */
  maxUses?: number | null | undefined;
  /** When it ends. Null: it does not. */
  expiresAt?: string | null | undefined;
};

export type UpdateProductBody = {
  /** What customers read. At most 255 characters. */
  name?: string | undefined;
  /** In centavos. 0 to 999999999999. */
  price?: number | undefined;
  /** A text of your own. */
  description?: string | null | undefined;
  currency?: Currency | undefined;
  /** Whether new checkout sessions may refer to it. */
  active?: boolean | undefined;
  /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type UpdateWebhookEndpointBody = {
  /** http or https; with a live key, https only. It must not contain a user name. At most 2048 characters. */
  url?: string | undefined;
  /** The event types to send to it. Duplicates are removed. */
  events?: Array<SubscribedEventType> | undefined;
  status?: WebhookEndpointStatus | undefined;
  /** A text of your own. */
  description?: string | null | undefined;
};

export type WebhookDelivery = {
  /** Chosen by Zimbo; never changes. */
  id: string;
  /** The webhook endpoint. */
  endpointId: string;
  /** The event. */
  eventId: string;
  eventType: EventType;
  status: WebhookDeliveryStatus;
  /** In the past while the attempt is under way; null if none is planned. */
  nextAttemptAt: string | null;
  /** Why it has not been delivered. */
  error: string | null;
  /** Up to the latest twenty, oldest first. */
  attempts: Array<WebhookDeliveryAttempt>;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it last changed, in UTC. */
  updatedAt: string;
};

export type WebhookDeliveryAttempt = {
  /** When it began, in UTC. */
  at: string;
  /** Null if there was no answer. */
  statusCode: number | null;
  /** How long it took, in milliseconds. */
  durationMs: number;
  /** What went wrong, for people to read; null if nothing did. */
  error: string | null;
  /** The first KiB of the answer. Null for a key without phones:read, because it may repeat what was sent. */
  response: string | null;
};

export type WebhookDeliveryList = {
  /** The objects on this page. */
  data: Array<WebhookDelivery>;
  /** Whether there is another page in this direction. */
  hasMore: boolean;
};

export type WebhookDeliveryStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED';

export type WebhookEndpoint = {
  /** Chosen by Zimbo; never changes. */
  id: string;
  /** http or https; with a live key, https only. It must not contain a user name. At most 2048 characters. */
  url: string;
  /** The event types to send to it. Duplicates are removed. */
  events: Array<SubscribedEventType>;
  status: WebhookEndpointStatus;
  disabledReason?: DisabledReason | undefined;
  /** A text of your own. */
  description: string | null;
  /** When it was made, in UTC. */
  createdAt: string;
  /** When it last changed, in UTC. */
  updatedAt: string;
};

export type WebhookEndpointList = {
  /** The objects on this page. */
  data: Array<WebhookEndpoint>;
  /** Whether there is another page in this direction. */
  hasMore: boolean;
};

export type WebhookEndpointStatus = 'ACTIVE' | 'DISABLED';

export type WebhookTestEvent = {
  /** The same in every attempt, so you can use it to deduplicate. */
  id: string;
  /** What happened. */
  type: 'webhook.test';
  data: WebhookEndpoint;
  /** When it was made, in UTC. */
  createdAt: string;
};

export type ListPaymentsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  /** The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after. */
  endingBefore?: string | undefined;
  /** Only those made at this instant or later. */
  createdGte?: string | undefined;
  /** Only those made after this instant. */
  createdGt?: string | undefined;
  /** Only those made at this instant or earlier. */
  createdLte?: string | undefined;
  /** Only those made before this instant. */
  createdLt?: string | undefined;
  /** Only those in this status, or one of several. */
  status?: PaymentStatus | ReadonlyArray<PaymentStatus> | undefined;
  /** Only those of this operator, or one of several. */
  operator?: Operator | ReadonlyArray<Operator> | undefined;
  /** Only those in this currency, or one of several. */
  currency?: Currency | ReadonlyArray<Currency> | undefined;
  /** Only those of this customer of yours. At most 255 characters. */
  customerId?: string | undefined;
  /** Only those that you gave this name. At most 255 characters. */
  externalId?: string | undefined;
  /** Only amounts of at least so many centavos. 0 to 999999999999999. */
  amountGte?: number | undefined;
  /** Only amounts of at most so many centavos. 0 to 999999999999999. */
  amountLte?: number | undefined;
  /** Only those of this phone, written as for a new payment. Needs the permission phones:read. At most 64 characters. */
  operatorPhone?: string | undefined;
  /** Only those with this operatorTxId. At most 255 characters. */
  operatorTxId?: string | undefined;
  /** Only the attempts to pay this checkout session. */
  checkoutSessionId?: string | undefined;
  /** Only those whose metadata has this key with exactly this text, which may be a string, a number, true or false: `metadata[order]=42`. Up to 3 keys, and only with a range of created_gte (or created_gt) and created_lte (or created_lt) of at most 31 days. */
  metadata?: Record<string, string> | undefined;
};

export type ListRefundsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  /** The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after. */
  endingBefore?: string | undefined;
  /** Only those made at this instant or later. */
  createdGte?: string | undefined;
  /** Only those made after this instant. */
  createdGt?: string | undefined;
  /** Only those made at this instant or earlier. */
  createdLte?: string | undefined;
  /** Only those made before this instant. */
  createdLt?: string | undefined;
  /** Only those of this payment. */
  paymentIntentId?: string | undefined;
  /** Only those in this status, or one of several. */
  status?: RefundStatus | ReadonlyArray<RefundStatus> | undefined;
  /** Only those whose metadata has this key with exactly this text, which may be a string, a number, true or false: `metadata[order]=42`. Up to 3 keys, and only with a range of created_gte (or created_gt) and created_lte (or created_lt) of at most 31 days. */
  metadata?: Record<string, string> | undefined;
};

export type ListDisbursementsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  /** The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after. */
  endingBefore?: string | undefined;
  /** Only those made at this instant or later. */
  createdGte?: string | undefined;
  /** Only those made after this instant. */
  createdGt?: string | undefined;
  /** Only those made at this instant or earlier. */
  createdLte?: string | undefined;
  /** Only those made before this instant. */
  createdLt?: string | undefined;
  /** Only those in this status, or one of several. */
  status?: DisbursementStatus | ReadonlyArray<DisbursementStatus> | undefined;
  /** Only those of this operator, or one of several. */
  operator?: Operator | ReadonlyArray<Operator> | undefined;
  /** Only those in this currency, or one of several. */
  currency?: Currency | ReadonlyArray<Currency> | undefined;
  /** Only those of this batch. */
  batchId?: string | undefined;
  /** Only those of this customer of yours. At most 255 characters. */
  customerId?: string | undefined;
  /** Only those that you gave this name. At most 255 characters. */
  externalId?: string | undefined;
  /** Only those whose metadata has this key with exactly this text, which may be a string, a number, true or false: `metadata[order]=42`. Up to 3 keys, and only with a range of created_gte (or created_gt) and created_lte (or created_lt) of at most 31 days. */
  metadata?: Record<string, string> | undefined;
};

export type ListDisbursementBatchesQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  /** The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after. */
  endingBefore?: string | undefined;
  /** Only those made at this instant or later. */
  createdGte?: string | undefined;
  /** Only those made after this instant. */
  createdGt?: string | undefined;
  /** Only those made at this instant or earlier. */
  createdLte?: string | undefined;
  /** Only those made before this instant. */
  createdLt?: string | undefined;
  /** Only those in this status, or one of several. */
  status?: DisbursementBatchStatus | ReadonlyArray<DisbursementBatchStatus> | undefined;
  /** Only those that you gave this name. At most 255 characters. */
  externalId?: string | undefined;
};

export type ListDisbursementsOfBatchQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  /** The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after. */
  endingBefore?: string | undefined;
  /** Only those made at this instant or later. */
  createdGte?: string | undefined;
  /** Only those made after this instant. */
  createdGt?: string | undefined;
  /** Only those made at this instant or earlier. */
  createdLte?: string | undefined;
  /** Only those made before this instant. */
  createdLt?: string | undefined;
  /** Only those in this status, or one of several. */
  status?: DisbursementStatus | ReadonlyArray<DisbursementStatus> | undefined;
};

export type ListCheckoutSessionsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  /** The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after. */
  endingBefore?: string | undefined;
  /** Only those made at this instant or later. */
  createdGte?: string | undefined;
  /** Only those made after this instant. */
  createdGt?: string | undefined;
  /** Only those made at this instant or earlier. */
  createdLte?: string | undefined;
  /** Only those made before this instant. */
  createdLt?: string | undefined;
  /** Only those in this status, or one of several. */
  status?: CheckoutSessionStatus | ReadonlyArray<CheckoutSessionStatus> | undefined;
  /** Only those of this customer of yours. At most 255 characters. */
  customerId?: string | undefined;
  /** Only those that you gave this name. At most 255 characters. */
  externalId?: string | undefined;
  /** The session that this payment tries to pay. */
  paymentIntentId?: string | undefined;
  /** Only those whose metadata has this key with exactly this text, which may be a string, a number, true or false: `metadata[order]=42`. Up to 3 keys, and only with a range of created_gte (or created_gt) and created_lte (or created_lt) of at most 31 days. */
  metadata?: Record<string, string> | undefined;
};

export type ListProductsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  /** The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after. */
  endingBefore?: string | undefined;
  /** Only those made at this instant or later. */
  createdGte?: string | undefined;
  /** Only those made after this instant. */
  createdGt?: string | undefined;
  /** Only those made at this instant or earlier. */
  createdLte?: string | undefined;
  /** Only those made before this instant. */
  createdLt?: string | undefined;
  /** Only those that are active, or only those that are not. */
  active?: boolean | undefined;
  /** Only those whose metadata has this key with exactly this text, which may be a string, a number, true or false: `metadata[order]=42`. Up to 3 keys, and only with a range of created_gte (or created_gt) and created_lte (or created_lt) of at most 31 days. */
  metadata?: Record<string, string> | undefined;
};

export type ListPaymentLinksQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  /** The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after. */
  endingBefore?: string | undefined;
  /** Only those made at this instant or later. */
  createdGte?: string | undefined;
  /** Only those made after this instant. */
  createdGt?: string | undefined;
  /** Only those made at this instant or earlier. */
  createdLte?: string | undefined;
  /** Only those made before this instant. */
  createdLt?: string | undefined;
  /** Only those that are active, or only those that are not. */
  active?: boolean | undefined;
  /** Only those whose metadata has this key with exactly this text, which may be a string, a number, true or false: `metadata[order]=42`. Up to 3 keys, and only with a range of created_gte (or created_gt) and created_lte (or created_lt) of at most 31 days. */
  metadata?: Record<string, string> | undefined;
};

export type ListEventsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  /** The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after. */
  endingBefore?: string | undefined;
  /** Only those made at this instant or later. */
  createdGte?: string | undefined;
  /** Only those made after this instant. */
  createdGt?: string | undefined;
  /** Only those made at this instant or earlier. */
  createdLte?: string | undefined;
  /** Only those made before this instant. */
  createdLt?: string | undefined;
  /** Only events of this type, or one of several. */
  type?: EventTypeFilter | ReadonlyArray<EventTypeFilter> | undefined;
  /** Only those about this payment, refund, checkout session, settlement, webhook endpoint, disbursement or batch of disbursements. At most 5,000 events are looked through. */
  objectId?: string | undefined;
};

export type ListSettlementsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  /** The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after. */
  endingBefore?: string | undefined;
  /** Only those made at this instant or later. */
  createdGte?: string | undefined;
  /** Only those made after this instant. */
  createdGt?: string | undefined;
  /** Only those made at this instant or earlier. */
  createdLte?: string | undefined;
  /** Only those made before this instant. */
  createdLt?: string | undefined;
  /** Only those in this status, or one of several. */
  status?: SettlementStatus | ReadonlyArray<SettlementStatus> | undefined;
};

export type ListSettlementItemsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  /** The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after. */
  endingBefore?: string | undefined;
  /** Only those made at this instant or later. */
  createdGte?: string | undefined;
  /** Only those made after this instant. */
  createdGt?: string | undefined;
  /** Only those made at this instant or earlier. */
  createdLte?: string | undefined;
  /** Only those made before this instant. */
  createdLt?: string | undefined;
};

export type GetStatementQuery = {
  /** In the time zone of the currency, where it must have begun. */
  month?: string | undefined;
  /** ISO currency code. */
  currency?: Currency | undefined;
};

export type GetStatementCsvQuery = {
  /** In the time zone of the currency, where it must have begun. */
  month?: string | undefined;
  /** ISO currency code. */
  currency?: Currency | undefined;
};

export type ListWebhookEndpointsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  /** The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after. */
  endingBefore?: string | undefined;
  /** Only those made at this instant or later. */
  createdGte?: string | undefined;
  /** Only those made after this instant. */
  createdGt?: string | undefined;
  /** Only those made at this instant or earlier. */
  createdLte?: string | undefined;
  /** Only those made before this instant. */
  createdLt?: string | undefined;
};

export type ListWebhookDeliveriesQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  /** The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after. */
  endingBefore?: string | undefined;
  /** Only those made at this instant or later. */
  createdGte?: string | undefined;
  /** Only those made after this instant. */
  createdGt?: string | undefined;
  /** Only those made at this instant or earlier. */
  createdLte?: string | undefined;
  /** Only those made before this instant. */
  createdLt?: string | undefined;
  /** Only those in this status, or one of several. */
  status?: WebhookDeliveryStatus | ReadonlyArray<WebhookDeliveryStatus> | undefined;
};

/** What each operation takes and answers. */
export interface Operations {
  createPayment: { body: CreatePaymentBody; answer: Payment };
  listPayments: { query: ListPaymentsQuery; answer: PaymentList };
  getPayment: { path: { id: string }; answer: Payment };
  cancelPayment: { path: { id: string }; answer: Payment };
  confirmPayment: { path: { id: string }; answer: Payment };
  createRefund: { body: CreateRefundBody; answer: Refund };
  listRefunds: { query: ListRefundsQuery; answer: RefundList };
  getRefund: { path: { id: string }; answer: Refund };
  createDisbursement: { body: CreateDisbursementBody; answer: Disbursement };
  listDisbursements: { query: ListDisbursementsQuery; answer: DisbursementList };
  getDisbursement: { path: { id: string }; answer: Disbursement };
  cancelDisbursement: { path: { id: string }; answer: Disbursement };
  createDisbursementBatch: { body: CreateDisbursementBatchBody; answer: DisbursementBatch };
  listDisbursementBatches: { query: ListDisbursementBatchesQuery; answer: DisbursementBatchList };
  getDisbursementBatch: { path: { id: string }; answer: DisbursementBatch };
  listDisbursementsOfBatch: { path: { id: string }; query: ListDisbursementsOfBatchQuery; answer: DisbursementList };
  cancelDisbursementBatch: { path: { id: string }; answer: DisbursementBatch };
  retryDisbursementBatch: { path: { id: string }; answer: DisbursementBatch };
  createCheckoutSession: { body: CreateCheckoutSessionBody; answer: CheckoutSession };
  listCheckoutSessions: { query: ListCheckoutSessionsQuery; answer: CheckoutSessionList };
  getCheckoutSession: { path: { id: string }; answer: CheckoutSession };
  expireCheckoutSession: { path: { id: string }; answer: CheckoutSession };
  getCheckoutSettings: { answer: CheckoutSettings };
  updateCheckoutSettings: { body: UpdateCheckoutSettingsBody; answer: CheckoutSettings };
  createProduct: { body: CreateProductBody; answer: Product };
  listProducts: { query: ListProductsQuery; answer: ProductList };
  getProduct: { path: { id: string }; answer: Product };
  updateProduct: { path: { id: string }; body: UpdateProductBody; answer: Product };
  deleteProduct: { path: { id: string }; answer: undefined };
  createPaymentLink: { body: CreatePaymentLinkBody; answer: PaymentLink };
  listPaymentLinks: { query: ListPaymentLinksQuery; answer: PaymentLinkList };
  getPaymentLink: { path: { id: string }; answer: PaymentLink };
  updatePaymentLink: { path: { id: string }; body: UpdatePaymentLinkBody; answer: PaymentLink };
  listEvents: { query: ListEventsQuery; answer: EventList };
  getEvent: { path: { id: string }; answer: Event };
  listOperators: { answer: OperatorDetailsList };
  getOperator: { path: { name: string }; answer: OperatorDetails };
  predictOperator: { body: PredictOperatorBody; answer: OperatorPrediction };
  processSettlement: { body: ProcessSettlementBody | null; answer: Settlement | undefined };
  listSettlements: { query: ListSettlementsQuery; answer: SettlementList };
  getSettlement: { path: { id: string }; answer: Settlement };
  getBalance: { answer: Balance };
  listSettlementItems: { path: { id: string }; query: ListSettlementItemsQuery; answer: SettlementItemList };
  getSettlementItemsCsv: { path: { id: string }; answer: string };
  getStatement: { query: GetStatementQuery; answer: Statement };
  getStatementCsv: { query: GetStatementCsvQuery; answer: string };
  createWebhookEndpoint: { body: CreateWebhookEndpointBody; answer: CreateWebhookEndpointAnswer };
  listWebhookEndpoints: { query: ListWebhookEndpointsQuery; answer: WebhookEndpointList };
  getWebhookEndpoint: { path: { id: string }; answer: WebhookEndpoint };
  updateWebhookEndpoint: { path: { id: string }; body: UpdateWebhookEndpointBody; answer: WebhookEndpoint };
  deleteWebhookEndpoint: { path: { id: string }; answer: undefined };
  rotateWebhookSecret: { path: { id: string }; body: RotateWebhookSecretBody | null; answer: RotateWebhookSecretAnswer };
  listWebhookDeliveries: { path: { id: string }; query: ListWebhookDeliveriesQuery; answer: WebhookDeliveryList };
  getWebhookDelivery: { path: { id: string; deliveryId: string }; answer: WebhookDelivery };
  redeliverWebhookDelivery: { path: { id: string; deliveryId: string }; answer: WebhookDelivery };
  redeliverWebhookEvents: { path: { id: string }; body: RedeliverWebhookEventsBody; answer: RedeliverWebhookEventsAnswer };
  testWebhookEndpoint: { path: { id: string }; answer: WebhookDelivery };
}

export const routes = {
  createPayment: { method: 'POST', path: '/v1/payments', takesKey: true },
  listPayments: { method: 'GET', path: '/v1/payments', takesKey: false },
  getPayment: { method: 'GET', path: '/v1/payments/{id}', takesKey: false },
  cancelPayment: { method: 'POST', path: '/v1/payments/{id}/cancel', takesKey: true },
  confirmPayment: { method: 'POST', path: '/v1/payments/{id}/confirm', takesKey: true },
  createRefund: { method: 'POST', path: '/v1/refunds', takesKey: true },
  listRefunds: { method: 'GET', path: '/v1/refunds', takesKey: false },
  getRefund: { method: 'GET', path: '/v1/refunds/{id}', takesKey: false },
  createDisbursement: { method: 'POST', path: '/v1/disbursements', takesKey: 'ALWAYS' },
  listDisbursements: { method: 'GET', path: '/v1/disbursements', takesKey: false },
  getDisbursement: { method: 'GET', path: '/v1/disbursements/{id}', takesKey: false },
  cancelDisbursement: { method: 'POST', path: '/v1/disbursements/{id}/cancel', takesKey: true },
  createDisbursementBatch: { method: 'POST', path: '/v1/disbursement_batches', takesKey: 'ALWAYS' },
  listDisbursementBatches: { method: 'GET', path: '/v1/disbursement_batches', takesKey: false },
  getDisbursementBatch: { method: 'GET', path: '/v1/disbursement_batches/{id}', takesKey: false },
  listDisbursementsOfBatch: { method: 'GET', path: '/v1/disbursement_batches/{id}/disbursements', takesKey: false },
  cancelDisbursementBatch: { method: 'POST', path: '/v1/disbursement_batches/{id}/cancel', takesKey: true },
  retryDisbursementBatch: { method: 'POST', path: '/v1/disbursement_batches/{id}/retry', takesKey: 'ALWAYS' },
  createCheckoutSession: { method: 'POST', path: '/v1/checkout/sessions', takesKey: true },
  listCheckoutSessions: { method: 'GET', path: '/v1/checkout/sessions', takesKey: false },
  getCheckoutSession: { method: 'GET', path: '/v1/checkout/sessions/{id}', takesKey: false },
  expireCheckoutSession: { method: 'POST', path: '/v1/checkout/sessions/{id}/expire', takesKey: true },
  getCheckoutSettings: { method: 'GET', path: '/v1/checkout/settings', takesKey: false },
  updateCheckoutSettings: { method: 'PATCH', path: '/v1/checkout/settings', takesKey: false },
  createProduct: { method: 'POST', path: '/v1/products', takesKey: true },
  listProducts: { method: 'GET', path: '/v1/products', takesKey: false },
  getProduct: { method: 'GET', path: '/v1/products/{id}', takesKey: false },
  updateProduct: { method: 'PATCH', path: '/v1/products/{id}', takesKey: false },
  deleteProduct: { method: 'DELETE', path: '/v1/products/{id}', takesKey: false },
  createPaymentLink: { method: 'POST', path: '/v1/payment-links', takesKey: true },
  listPaymentLinks: { method: 'GET', path: '/v1/payment-links', takesKey: false },
  getPaymentLink: { method: 'GET', path: '/v1/payment-links/{id}', takesKey: false },
  updatePaymentLink: { method: 'PATCH', path: '/v1/payment-links/{id}', takesKey: false },
  listEvents: { method: 'GET', path: '/v1/events', takesKey: false },
  getEvent: { method: 'GET', path: '/v1/events/{id}', takesKey: false },
  listOperators: { method: 'GET', path: '/v1/operators', takesKey: false },
  getOperator: { method: 'GET', path: '/v1/operators/{name}', takesKey: false },
  predictOperator: { method: 'POST', path: '/v1/operators/predict', takesKey: false },
  processSettlement: { method: 'POST', path: '/v1/settlements/process', takesKey: true },
  listSettlements: { method: 'GET', path: '/v1/settlements', takesKey: false },
  getSettlement: { method: 'GET', path: '/v1/settlements/{id}', takesKey: false },
  getBalance: { method: 'GET', path: '/v1/balance', takesKey: false },
  listSettlementItems: { method: 'GET', path: '/v1/settlements/{id}/items', takesKey: false },
  getSettlementItemsCsv: { method: 'GET', path: '/v1/settlements/{id}/items.csv', takesKey: false },
  getStatement: { method: 'GET', path: '/v1/statements', takesKey: false },
  getStatementCsv: { method: 'GET', path: '/v1/statements.csv', takesKey: false },
  createWebhookEndpoint: { method: 'POST', path: '/v1/webhooks', takesKey: true },
  listWebhookEndpoints: { method: 'GET', path: '/v1/webhooks', takesKey: false },
  getWebhookEndpoint: { method: 'GET', path: '/v1/webhooks/{id}', takesKey: false },
  updateWebhookEndpoint: { method: 'PATCH', path: '/v1/webhooks/{id}', takesKey: false },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/v1/webhooks/{id}', takesKey: false },
  rotateWebhookSecret: { method: 'POST', path: '/v1/webhooks/{id}/rotate-secret', takesKey: true },
  listWebhookDeliveries: { method: 'GET', path: '/v1/webhooks/{id}/deliveries', takesKey: false },
  getWebhookDelivery: { method: 'GET', path: '/v1/webhooks/{id}/deliveries/{deliveryId}', takesKey: false },
  redeliverWebhookDelivery: { method: 'POST', path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', takesKey: true },
  redeliverWebhookEvents: { method: 'POST', path: '/v1/webhooks/{id}/redeliver', takesKey: true },
  testWebhookEndpoint: { method: 'POST', path: '/v1/webhooks/{id}/test', takesKey: true },
} as const;

/** What the events of each type carry. */
export interface EventData {
  'payment.created': Payment;
  'payment.debited': Payment;
  'payment.settled': Payment;
  'payment.failed': Payment;
  'payment.expired': Payment;
  'payment.cancelled': Payment;
  'refund.created': Refund;
  'refund.succeeded': Refund;
  'refund.failed': Refund;
  'checkout.completed': CheckoutSession;
  'checkout.expired': CheckoutSession;
  'settlement.completed': Settlement;
  'operator.status_changed': OperatorDetails;
  'disbursement.created': Disbursement;
  'disbursement.succeeded': Disbursement;
  'disbursement.failed': Disbursement;
  'disbursement.cancelled': Disbursement;
  'disbursement_batch.completed': DisbursementBatch;
  'webhook.test': WebhookEndpoint;
}

export const gatewayErrorCodes = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'ADDRESS_NOT_ALLOWED',
  'KEY_LIMIT_EXCEEDED',
  'NOT_FOUND',
  'INVALID_STATE',
  'REFUND_EXCEEDS_PAYMENT',
  'INSUFFICIENT_BALANCE',
  'IDEMPOTENCY_KEY_REUSED',
  'LIMIT_REACHED',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'INTERNAL_ERROR',
] as const;
