// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.
export type Currency = 'CVE' | 'AOA';

export type Operator = 'CVMOVEL' | 'UNITEL_TMAIS' | 'MOCK';

export type PaymentStatus = 'CREATED' | 'OPERATOR_PENDING' | 'USER_CONFIRMING' | 'DEBITED' | 'SETTLED' | 'FAILED' | 'EXPIRED' | 'REFUNDED' | 'PARTIALLY_REFUNDED' | 'CANCELLED';

export type Payment = {
  id: string;
  /** At most 255 characters. */
  externalId: string | null;
  /** The amount, in centavos. */
  amount: string;
  /** ISO currency code. */
  currency: Currency;
  /** The fee, in centavos. */
  feeAmount: string;
  /** The amount less the fee, in centavos. */
  netAmount: string;
  operator: Operator;
  /** Masked (+238•••••45) for a key without phones:read; +00000000 once it has been erased. */
  operatorPhone: string;
  operatorTxId: string | null;
  status: PaymentStatus;
  failureCode: string | null;
  failureMessage: string | null;
  /** At most 255 characters. */
  description: string | null;
  /** At most 255 characters. */
  statementDescriptor: string | null;
  /** At most 255 characters. */
  customerId: string | null;
  /** Your own key-value pairs: at most 50 keys, any JSON values, 64 KiB and 32 levels. */
  metadata: Record<string, unknown> | null;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
  /** The checkout session that this payment is an attempt of. */
  checkoutSessionId: string | null;
};

export type RefundStatus = 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED';

export type Refund = {
  id: string;
  paymentIntentId: string;
  /** The amount, in centavos. */
  amount: string;
  /** ISO currency code. */
  currency: Currency;
  status: RefundStatus;
  /** At most 255 characters. */
  reason: string | null;
  failureCode: string | null;
  failureMessage: string | null;
  operatorRefundId: string | null;
  /** Your own key-value pairs: at most 50 keys, any JSON values, 64 KiB and 32 levels. */
  metadata: Record<string, unknown> | null;
  createdAt: string;
  updatedAt: string;
};

export type CheckoutSessionStatus = 'OPEN' | 'COMPLETED' | 'EXPIRED';

export type CheckoutSession = {
  id: string;
  /** The payment page: whoever has the link can pay. */
  url: string;
  /** The sum, in centavos. */
  amount: string;
  /** ISO currency code. */
  currency: Currency;
  status: CheckoutSessionStatus;
  /** Where "back to the shop" leads: an absolute URL, of an app too. */
  returnUrl: string | null;
  /** Where the customer goes after paying. It is no proof of payment. */
  completionUrl: string | null;
  /** At most 255 characters. */
  customerId: string | null;
  /** The payment of the latest attempt. */
  paymentIntentId: string | null;
  items: Array<{
    id: string;
    productId: string | null;
    /** At most 255 characters. */
    name: string;
    description: string | null;
    /** 1 to 9999. */
    quantity: number;
    /** In centavos. */
    unitPrice: string;
    /** ISO currency code. */
    currency: Currency;
  }>;
  /** Your own key-value pairs: at most 50 keys, any JSON values, 64 KiB and 32 levels. */
  metadata: Record<string, unknown> | null;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
  /** What is paid for. The payments of the session carry it. At most 255 characters. */
  description: string | null;
};

export type Product = {
  id: string;
  /** At most 255 characters. */
  name: string;
  description: string | null;
  /** The price, in centavos. */
  price: string;
  /** ISO currency code. */
  currency: Currency;
  /** Whether new checkout sessions may name it. */
  active: boolean;
  /** Your own key-value pairs: at most 50 keys, any JSON values, 64 KiB and 32 levels. */
  metadata: Record<string, unknown> | null;
  createdAt: string;
  updatedAt: string;
};

export type EventType = 'payment.created' | 'payment.debited' | 'payment.settled' | 'payment.failed' | 'payment.expired' | 'payment.cancelled' | 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'checkout.completed' | 'checkout.expired' | 'settlement.completed' | 'webhook.test';

export type Event = {
  id: string;
  type: EventType;
  /** The whole resource as it was at the event. */
  data: Record<string, unknown>;
  createdAt: string;
};

export type SettlementStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';

export type Settlement = {
  id: string;
  merchantId: string;
  /** The gross of its debits, in centavos. */
  amount: string;
  /** The fees of these, in centavos. */
  feeTotal: string;
  /** Refunds out less refunds that came back, in centavos. */
  refundTotal: string;
  /** What is paid out: amount - feeTotal - refundTotal, in centavos. */
  netAmount: string;
  /** ISO currency code. */
  currency: Currency;
  status: SettlementStatus;
  periodStart: string;
  periodEnd: string;
  /** What the bank knows the payout by. */
  payoutRef: string | null;
  /** Debits, refunds out and refunds back. */
  itemCount: number;
  createdAt: string;
  processedAt: string | null;
  completedAt: string | null;
};

export type Balance = {
  data: Array<{
    /** ISO currency code. */
    currency: Currency;
    /** What no settlement has taken yet, in centavos. */
    available: string;
    /** On its way to the bank, in centavos. */
    pending: string;
    /** On its way back to customers, in centavos. */
    refundsInTransit: string;
  }>;
};

export type WebhookEndpointStatus = 'ACTIVE' | 'DISABLED';

export type DisabledReason = 'GONE' | 'FAILING';

export type WebhookEndpoint = {
  id: string;
  /** http or https. */
  url: string;
  /** The event types to be sent to it; repeats are dropped. */
  events: Array<'payment.created' | 'payment.debited' | 'payment.settled' | 'payment.failed' | 'payment.expired' | 'payment.cancelled' | 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'checkout.completed' | 'checkout.expired' | 'settlement.completed'>;
  /** A DISABLED endpoint gets nothing new, and what is pending waits. */
  status: WebhookEndpointStatus;
  /** Why it disabled itself: it answered 410 Gone, or has only failed for five days. Absent otherwise. */
  disabledReason?: DisabledReason | undefined;
  description: string | null;
  createdAt: string;
  updatedAt: string;
};

export type WebhookDeliveryStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED';

export type WebhookDelivery = {
  id: string;
  endpointId: string;
  eventId: string;
  eventType: EventType;
  status: WebhookDeliveryStatus;
  /** Null where none is planned. */
  nextAttemptAt: string | null;
  /** Why it is not delivered. */
  error: string | null;
  /** The latest twenty at most, oldest first. */
  attempts: Array<{
    at: string;
    /** Null where no answer came. */
    statusCode: number | null;
    durationMs: number;
    error: string | null;
    /** The first KiB of the answer. */
    response: string | null;
  }>;
  createdAt: string;
  updatedAt: string;
};

export type CreatePaymentBody = {
  /** In centavos, the smallest unit of both currencies. 1 to 100000000. */
  amount: number;
  operator: Operator;
  /** The customer's phone: + and 8 to 15 digits; separators are dropped. At most 64 characters. */
  operatorPhone: string;
  /** ISO currency code. */
  currency?: Currency | null | undefined;
  /** At most 255 characters. */
  externalId?: string | null | undefined;
  /** At most 255 characters. */
  customerId?: string | null | undefined;
  /** At most 255 characters. */
  description?: string | null | undefined;
  /** At most 255 characters. */
  statementDescriptor?: string | null | undefined;
  /** Your own key-value pairs: at most 50 keys, any JSON values, 64 KiB and 32 levels. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type ListPaymentsAnswer = {
  data: Array<Payment>;
  /** Whether another page follows. */
  hasMore: boolean;
};

export type ListPaymentsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  status?: PaymentStatus | undefined;
  operator?: Operator | undefined;
  /** ISO currency code. */
  currency?: Currency | undefined;
  /** At most 255 characters. */
  customerId?: string | undefined;
  /** At most 255 characters. */
  externalId?: string | undefined;
  /** ISO 8601 date-time, both ends included. */
  createdGte?: string | undefined;
  /** ISO 8601 date-time, both ends included. */
  createdLte?: string | undefined;
};

export type CreateRefundBody = {
  paymentIntentId: string;
  /** In centavos; without it, all that is left of the payment. 1 to 9007199254740991. */
  amount?: number | null | undefined;
  /** At most 255 characters. */
  reason?: string | null | undefined;
  /** Your own key-value pairs: at most 50 keys, any JSON values, 64 KiB and 32 levels. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type ListRefundsAnswer = {
  data: Array<Refund>;
  /** Whether another page follows. */
  hasMore: boolean;
};

export type ListRefundsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  paymentIntentId?: string | undefined;
  status?: RefundStatus | undefined;
};

export type CreateCheckoutSessionBody = {
  /** What is paid for; or else amount. */
  items?: Array<{
    /** An active product of yours. */
    productId?: string | null | undefined;
    /** At most 255 characters. */
    name: string;
    description?: string | null | undefined;
    /** 1 to 9999. */
    quantity: number;
    /** In centavos. 1 to 100000000. */
    unitPrice: number;
  }> | null | undefined;
  /** A fixed amount, in centavos; or else items. 1 to 100000000. */
  amount?: number | null | undefined;
  /** ISO currency code. */
  currency?: Currency | null | undefined;
  /** At most 255 characters. */
  customerId?: string | null | undefined;
  /** What is paid for. The payments of the session carry it. At most 255 characters. */
  description?: string | null | undefined;
  /** Where "back to the shop" leads: an absolute URL, of an app too. */
  returnUrl?: string | null | undefined;
  /** Where the customer goes after paying. It is no proof of payment. */
  completionUrl?: string | null | undefined;
  /** 1440 if left out. 5 to 1440. */
  expiresInMinutes?: number | null | undefined;
  /** Your own key-value pairs: at most 50 keys, any JSON values, 64 KiB and 32 levels. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type ListCheckoutSessionsAnswer = {
  data: Array<CheckoutSession>;
  /** Whether another page follows. */
  hasMore: boolean;
};

export type ListCheckoutSessionsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  status?: CheckoutSessionStatus | undefined;
  /** At most 255 characters. */
  customerId?: string | undefined;
  /** The session that this payment is an attempt of. */
  paymentIntentId?: string | undefined;
};

export type CreateProductBody = {
  /** At most 255 characters. */
  name: string;
  /** In centavos. 0 to 999999999999. */
  price: number;
  description?: string | null | undefined;
  /** ISO currency code. */
  currency?: Currency | null | undefined;
  /** Whether new checkout sessions may name it. */
  active?: boolean | null | undefined;
  /** Your own key-value pairs: at most 50 keys, any JSON values, 64 KiB and 32 levels. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type ListProductsAnswer = {
  data: Array<Product>;
  /** Whether another page follows. */
  hasMore: boolean;
};

export type ListProductsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  active?: boolean | undefined;
};

export type UpdateProductBody = {
  /** At most 255 characters. */
  name?: string | null | undefined;
  /** In centavos. 0 to 999999999999. */
  price?: number | null | undefined;
  description?: string | null | undefined;
  /** ISO currency code. */
  currency?: Currency | null | undefined;
  /** Whether new checkout sessions may name it. */
  active?: boolean | null | undefined;
  /** Your own key-value pairs: at most 50 keys, any JSON values, 64 KiB and 32 levels. */
  metadata?: Record<string, unknown> | null | undefined;
};

export type ListEventsAnswer = {
  data: Array<Event>;
  /** Whether another page follows. */
  hasMore: boolean;
};

export type ListEventsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  type?: EventType | undefined;
};

export type ProcessSettlementBody = {
  /** ISO currency code. */
  currency?: Currency | null | undefined;
} | null;

export type ListSettlementsAnswer = {
  data: Array<Settlement>;
  /** Whether another page follows. */
  hasMore: boolean;
};

export type ListSettlementsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  status?: SettlementStatus | undefined;
};

export type CreateWebhookEndpointAnswer = {
  id: string;
  /** http or https. */
  url: string;
  /** The event types to be sent to it; repeats are dropped. */
  events: Array<'payment.created' | 'payment.debited' | 'payment.settled' | 'payment.failed' | 'payment.expired' | 'payment.cancelled' | 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'checkout.completed' | 'checkout.expired' | 'settlement.completed'>;
  /** A DISABLED endpoint gets nothing new, and what is pending waits. */
  status: WebhookEndpointStatus;
  /** Why it disabled itself: it answered 410 Gone, or has only failed for five days. Absent otherwise. */
  disabledReason?: DisabledReason | undefined;
  description: string | null;
  createdAt: string;
  updatedAt: string;
  /** The signing secret. It is in this answer only: store it. */
  secret: string;
};

export type CreateWebhookEndpointBody = {
  /** http or https. */
  url: string;
  /** The event types to be sent to it; repeats are dropped. */
  events: Array<'payment.created' | 'payment.debited' | 'payment.settled' | 'payment.failed' | 'payment.expired' | 'payment.cancelled' | 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'checkout.completed' | 'checkout.expired' | 'settlement.completed'>;
  description?: string | null | undefined;
};

export type ListWebhookEndpointsAnswer = {
  data: Array<WebhookEndpoint>;
  /** Whether another page follows. */
  hasMore: boolean;
};

export type ListWebhookEndpointsQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
};

export type UpdateWebhookEndpointBody = {
  /** http or https. */
  url?: string | null | undefined;
  /** The event types to be sent to it; repeats are dropped. */
  events?: Array<'payment.created' | 'payment.debited' | 'payment.settled' | 'payment.failed' | 'payment.expired' | 'payment.cancelled' | 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'checkout.completed' | 'checkout.expired' | 'settlement.completed'> | null | undefined;
  /** A DISABLED endpoint gets nothing new, and what is pending waits. */
  status?: WebhookEndpointStatus | null | undefined;
  description?: string | null | undefined;
};

export type RotateWebhookSecretAnswer = {
  id: string;
  /** http or https. */
  url: string;
  /** The event types to be sent to it; repeats are dropped. */
  events: Array<'payment.created' | 'payment.debited' | 'payment.settled' | 'payment.failed' | 'payment.expired' | 'payment.cancelled' | 'refund.created' | 'refund.succeeded' | 'refund.failed' | 'checkout.completed' | 'checkout.expired' | 'settlement.completed'>;
  /** A DISABLED endpoint gets nothing new, and what is pending waits. */
  status: WebhookEndpointStatus;
  /** Why it disabled itself: it answered 410 Gone, or has only failed for five days. Absent otherwise. */
  disabledReason?: DisabledReason | undefined;
  description: string | null;
  createdAt: string;
  updatedAt: string;
  /** The signing secret. It is in this answer only: store it. */
  secret: string;
  /** When the old secret stops signing. */
  overlapEndsAt: string;
};

export type RotateWebhookSecretBody = {
  /** How long deliveries are signed with the old secret too; by default 24. 0 to 72. */
  overlapHours?: number | null | undefined;
} | null;

export type ListWebhookDeliveriesAnswer = {
  data: Array<WebhookDelivery>;
  /** Whether another page follows. */
  hasMore: boolean;
};

export type ListWebhookDeliveriesQuery = {
  /** How many items a page may hold. 1 to 100. */
  limit?: number | undefined;
  /** The id of the last item of the previous page. */
  startingAfter?: string | undefined;
  status?: WebhookDeliveryStatus | undefined;
};

export type RedeliverWebhookEventsAnswer = {
  /** How many events are sent again; 10000 at most in one go. */
  count: number;
  /** Where the next request goes on; null: done. */
  nextSince: string | null;
};

export type RedeliverWebhookEventsBody = {
  /** The first instant of the range. */
  since: string;
  /** The end of the range; by default now. */
  until?: string | null | undefined;
  status?: WebhookDeliveryStatus | null | undefined;
};

/** What each operation takes and answers. */
export interface Operations {
  createPayment: { body: CreatePaymentBody; answer: Payment };
  listPayments: { query: ListPaymentsQuery; answer: ListPaymentsAnswer };
  getPayment: { path: { id: string }; answer: Payment };
  cancelPayment: { path: { id: string }; answer: Payment };
  confirmPayment: { path: { id: string }; answer: Payment };
  createRefund: { body: CreateRefundBody; answer: Refund };
  listRefunds: { query: ListRefundsQuery; answer: ListRefundsAnswer };
  getRefund: { path: { id: string }; answer: Refund };
  createCheckoutSession: { body: CreateCheckoutSessionBody; answer: CheckoutSession };
  listCheckoutSessions: { query: ListCheckoutSessionsQuery; answer: ListCheckoutSessionsAnswer };
  getCheckoutSession: { path: { id: string }; answer: CheckoutSession };
  expireCheckoutSession: { path: { id: string }; answer: CheckoutSession };
  createProduct: { body: CreateProductBody; answer: Product };
  listProducts: { query: ListProductsQuery; answer: ListProductsAnswer };
  getProduct: { path: { id: string }; answer: Product };
  updateProduct: { path: { id: string }; body: UpdateProductBody; answer: Product };
  deleteProduct: { path: { id: string }; answer: undefined };
  listEvents: { query: ListEventsQuery; answer: ListEventsAnswer };
  getEvent: { path: { id: string }; answer: Event };
  processSettlement: { body: ProcessSettlementBody; answer: Settlement | undefined };
  listSettlements: { query: ListSettlementsQuery; answer: ListSettlementsAnswer };
  getSettlement: { path: { id: string }; answer: Settlement };
  getBalance: { answer: Balance };
  createWebhookEndpoint: { body: CreateWebhookEndpointBody; answer: CreateWebhookEndpointAnswer };
  listWebhookEndpoints: { query: ListWebhookEndpointsQuery; answer: ListWebhookEndpointsAnswer };
  getWebhookEndpoint: { path: { id: string }; answer: WebhookEndpoint };
  updateWebhookEndpoint: { path: { id: string }; body: UpdateWebhookEndpointBody; answer: WebhookEndpoint };
  deleteWebhookEndpoint: { path: { id: string }; answer: undefined };
  rotateWebhookSecret: { path: { id: string }; body: RotateWebhookSecretBody; answer: RotateWebhookSecretAnswer };
  listWebhookDeliveries: { path: { id: string }; query: ListWebhookDeliveriesQuery; answer: ListWebhookDeliveriesAnswer };
  getWebhookDelivery: { path: { id: string; deliveryId: string }; answer: WebhookDelivery };
  redeliverWebhookDelivery: { path: { id: string; deliveryId: string }; answer: WebhookDelivery };
  redeliverWebhookEvents: { path: { id: string }; body: RedeliverWebhookEventsBody; answer: RedeliverWebhookEventsAnswer };
  testWebhookEndpoint: { path: { id: string }; answer: WebhookDelivery };
}

export const routes = {
  createPayment: { method: 'POST', path: '/v1/payments', takesKey: true },
  listPayments: { method: 'GET', path: '/v1/payments', takesKey: false },
  getPayment: { method: 'GET', path: '/v1/payments/{id}', takesKey: false },
  cancelPayment: { method: 'POST', path: '/v1/payments/{id}/cancel', takesKey: false },
  confirmPayment: { method: 'POST', path: '/v1/payments/{id}/confirm', takesKey: false },
  createRefund: { method: 'POST', path: '/v1/refunds', takesKey: true },
  listRefunds: { method: 'GET', path: '/v1/refunds', takesKey: false },
  getRefund: { method: 'GET', path: '/v1/refunds/{id}', takesKey: false },
  createCheckoutSession: { method: 'POST', path: '/v1/checkout/sessions', takesKey: true },
  listCheckoutSessions: { method: 'GET', path: '/v1/checkout/sessions', takesKey: false },
  getCheckoutSession: { method: 'GET', path: '/v1/checkout/sessions/{id}', takesKey: false },
  expireCheckoutSession: { method: 'POST', path: '/v1/checkout/sessions/{id}/expire', takesKey: false },
  createProduct: { method: 'POST', path: '/v1/products', takesKey: true },
  listProducts: { method: 'GET', path: '/v1/products', takesKey: false },
  getProduct: { method: 'GET', path: '/v1/products/{id}', takesKey: false },
  updateProduct: { method: 'PATCH', path: '/v1/products/{id}', takesKey: false },
  deleteProduct: { method: 'DELETE', path: '/v1/products/{id}', takesKey: false },
  listEvents: { method: 'GET', path: '/v1/events', takesKey: false },
  getEvent: { method: 'GET', path: '/v1/events/{id}', takesKey: false },
  processSettlement: { method: 'POST', path: '/v1/settlements/process', takesKey: true },
  listSettlements: { method: 'GET', path: '/v1/settlements', takesKey: false },
  getSettlement: { method: 'GET', path: '/v1/settlements/{id}', takesKey: false },
  getBalance: { method: 'GET', path: '/v1/balance', takesKey: false },
  createWebhookEndpoint: { method: 'POST', path: '/v1/webhooks', takesKey: true },
  listWebhookEndpoints: { method: 'GET', path: '/v1/webhooks', takesKey: false },
  getWebhookEndpoint: { method: 'GET', path: '/v1/webhooks/{id}', takesKey: false },
  updateWebhookEndpoint: { method: 'PATCH', path: '/v1/webhooks/{id}', takesKey: false },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/v1/webhooks/{id}', takesKey: false },
  rotateWebhookSecret: { method: 'POST', path: '/v1/webhooks/{id}/rotate-secret', takesKey: false },
  listWebhookDeliveries: { method: 'GET', path: '/v1/webhooks/{id}/deliveries', takesKey: false },
  getWebhookDelivery: { method: 'GET', path: '/v1/webhooks/{id}/deliveries/{deliveryId}', takesKey: false },
  redeliverWebhookDelivery: { method: 'POST', path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', takesKey: false },
  redeliverWebhookEvents: { method: 'POST', path: '/v1/webhooks/{id}/redeliver', takesKey: false },
  testWebhookEndpoint: { method: 'POST', path: '/v1/webhooks/{id}/test', takesKey: false },
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
  'IDEMPOTENCY_KEY_REUSED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
] as const;
