import { eventUnion, eventWebhooks } from '../integrations/events/openapi.ts';
import { operatorDetailsSchema } from '../integrations/operators/schemas.ts';
import { endpointSchema } from '../integrations/webhooks/schemas.ts';
import { batchSchema } from '../money/disbursements/batches/schemas.ts';
import { disbursementSchema } from '../money/disbursements/schemas.ts';
import { paymentSchema } from '../money/payments/schemas.ts';
import { refundSchema } from '../money/refunds/schemas.ts';
import { settlementSchema } from '../money/settlements/schemas.ts';
import type { OpenApiOptions } from '../platform/http/openapi.ts';
import { sessionSchema } from '../storefront/checkout/schemas.ts';
import { oneWayToPay } from '../storefront/payment-links/schemas.ts';

/** The parts of the API reference beyond the routes. */
export function openApiOptions(publicUrl: string): OpenApiOptions {
  return {
    publicUrl,
    tags: [
      { name: 'Payments', description: "Debits of customers' mobile-money accounts." },
      { name: 'Checkout', description: 'Payment links with a hosted payment page.' },
      {
        name: 'Payment links',
        description: 'Links that can be paid again and again: each use makes a checkout session.',
      },
      { name: 'Products', description: 'Products that checkout sessions can refer to.' },
      { name: 'Refunds', description: 'Money returned to customers.' },
      { name: 'Disbursements', description: 'Money sent from the balance to wallets.' },
      { name: 'Settlements', description: 'Payouts to the merchant, and the balance.' },
      {
        name: 'Operators',
        description: 'The operators that customers can pay with, and their state.',
      },
      { name: 'Webhooks', description: 'Webhook endpoints and their deliveries.' },
      { name: 'Events', description: 'What happened, as reported by webhooks.' },
      { name: 'Notifications', description: 'Events sent to you as signed HTTP POST requests.' },
    ],
    webhooks: eventWebhooks({
      settlement: settlementSchema,
      payment: paymentSchema,
      refund: refundSchema,
      checkout: sessionSchema,
      webhook: endpointSchema,
      operator: operatorDetailsSchema,
      disbursement: disbursementSchema,
      disbursement_batch: batchSchema,
    }),
    schemas: { Event: eventUnion },
    rules: { CreatePaymentLinkBody: oneWayToPay },
    recorded: new URL('./openapi-examples.json', import.meta.url),
    samples: { url: 'ZIMBO_URL', key: 'ZIMBO_API_KEY' },
  };
}
