export { type ErrorCode, type GatewayErrorCode, ZimboError } from './error.ts';
export type { ZimboEvent } from './event.ts';
export type {
  Balance,
  CheckoutSession,
  CheckoutSessionStatus,
  CreateCheckoutSessionBody,
  CreatePaymentBody,
  CreateProductBody,
  CreateRefundBody,
  CreateWebhookEndpointBody,
  Currency,
  EventType,
  ListCheckoutSessionsQuery,
  ListEventsQuery,
  ListPaymentsQuery,
  ListProductsQuery,
  ListRefundsQuery,
  ListSettlementsQuery,
  ListWebhookEndpointsQuery,
  Operator,
  Payment,
  PaymentStatus,
  ProcessSettlementBody,
  Product,
  Refund,
  RefundStatus,
  Settlement,
  SettlementStatus,
  UpdateProductBody,
  UpdateWebhookEndpointBody,
  WebhookEndpoint,
  WebhookEndpointStatus,
} from './generated.ts';
export type { List, Page } from './list.ts';
export type { CallOptions, CreateOptions } from './transport.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  WebhookVerificationError,
} from './webhook.ts';
export { Zimbo, type ZimboOptions } from './zimbo.ts';
