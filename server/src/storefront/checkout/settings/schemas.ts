import type { Static } from 'typebox';
import { optional } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/http/type.ts';
import { longestFrameOrigin, mostFrameOrigins } from './frame-origins.ts';

const frameOrigins = Type.Array(
  Type.String({ maxLength: longestFrameOrigin, examples: ['https://shop.cv'] }),
  {
    maxItems: mostFrameOrigins,
    description:
      'The sites that may show the payment page inside their pages, as checkout.js does: https origins, and with a test key also http on localhost. Empty: none.',
    examples: [['https://shop.cv', 'https://www.shop.cv']],
  },
);

export const updateSettingsBody = Type.Object(
  { frameOrigins: optional(frameOrigins) },
  { title: 'UpdateCheckoutSettingsBody', additionalProperties: false },
);
export type UpdateSettingsBody = Static<typeof updateSettingsBody>;

export const settingsSchema = Type.Object({ frameOrigins }, { title: 'CheckoutSettings' });
