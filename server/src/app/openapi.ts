import { sessionSchema } from '../checkout/schemas.ts';
import { eventUnion, eventWebhooks } from '../events/openapi.ts';
import type { OpenApiOptions } from '../http/openapi.ts';
import { paymentSchema } from '../payments/schemas.ts';
import { refundSchema } from '../refunds/schemas.ts';
import { settlementSchema } from '../settlements/schemas.ts';
import { endpointSchema } from '../webhooks/schemas.ts';

/** What the API reference says beyond the routes themselves. */
export function openApiOptions(publicUrl: string): OpenApiOptions {
  return {
    publicUrl,
    tags: [
      { name: 'Payments', description: "Debits of a customer's mobile money account." },
      { name: 'Checkout', description: 'Payment links with a hosted payment page.' },
      { name: 'Products', description: 'What checkout items can refer to.' },
      { name: 'Refunds', description: 'What goes back to customers.' },
      { name: 'Settlements', description: 'What is paid out to the merchant, and the balance.' },
      { name: 'Webhooks', description: 'Where events are sent to.' },
      { name: 'Events', description: 'What happened, as webhooks tell of it.' },
      { name: 'Notifications', description: 'What is sent to you, as signed HTTP POST requests.' },
    ],
    webhooks: eventWebhooks({
      settlement: settlementSchema,
      payment: paymentSchema,
      refund: refundSchema,
      checkout: sessionSchema,
      webhook: endpointSchema,
    }),
    schemas: { Event: eventUnion },
  };
}
