import { Type } from 'typebox';
import { currencySchema } from '../payments/schemas.ts';
import { listQuery } from '../platform/http/lists.ts';
import { nullable, optional } from '../platform/http/schema.ts';
import { settlementStatuses } from './settlement.ts';

const instant = Type.String({ format: 'date-time', examples: ['2026-11-21T03:00:00.000Z'] });
const minorUnits = (description: string, example: string) =>
  Type.String({ description: `${description}, in centavos`, examples: [example] });

export const processBody = Type.Object(
  { currency: optional(currencySchema) },
  { additionalProperties: false },
);

export const settlementSchema = Type.Object({
  id: Type.String({ examples: ['se_01m7yhp3gge018xpak30bbsq3s'] }),
  merchantId: Type.String({ examples: ['me_01m7yhp3gge018xpacn8sjzp5w'] }),
  amount: minorUnits('The gross of its debits', '100000'),
  feeTotal: minorUnits('The fees of these', '2000'),
  refundTotal: minorUnits('Refunds out less refunds that came back', '10000'),
  netAmount: minorUnits('What is paid out: amount - feeTotal - refundTotal', '88000'),
  currency: currencySchema,
  status: Type.Enum([...settlementStatuses]),
  periodStart: instant,
  periodEnd: instant,
  payoutRef: nullable(Type.String({ description: 'What the bank knows the payout by' })),
  itemCount: Type.Integer({ description: 'Debits, refunds out and refunds back' }),
  createdAt: instant,
  processedAt: nullable(instant),
  completedAt: nullable(instant),
});

export const listSettlementsQuery = listQuery({
  status: Type.Optional(Type.Enum([...settlementStatuses])),
});

export const balanceSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      currency: currencySchema,
      available: minorUnits('What no settlement has taken yet', '9800'),
      pending: minorUnits('On its way to the bank', '0'),
      refundsInTransit: minorUnits('On its way back to customers', '0'),
    }),
  ),
});
