import { currencySchema } from '../../integrations/operators/schemas.ts';
import { rangedListQuery, rangedQuery, severalOf } from '../../platform/http/list-range.ts';
import { nullable, optional } from '../../platform/http/schema.ts';
import { Type } from '../../platform/http/type.ts';
import { itemIdPattern, settlementItemTypes } from './items/list.ts';
import { settlementStatuses } from './settlement.ts';

const instant = Type.String({ format: 'date-time', examples: ['2026-11-21T03:00:00.000Z'] });
const minorUnits = (description: string, example: string) =>
  Type.String({ description: `${description}, in centavos`, examples: [example] });

export const processBody = Type.Object(
  { currency: optional(currencySchema) },
  { title: 'ProcessSettlementBody', additionalProperties: false },
);

const status = Type.Enum([...settlementStatuses], { title: 'SettlementStatus' });

export const settlementSchema = Type.Object(
  {
    id: Type.String({ examples: ['se_01m7yhp3gge018xpak30bbsq3s'] }),
    merchantId: Type.String({ examples: ['me_01m7yhp3gge018xpacn8sjzp5w'] }),
    amount: minorUnits('The total of its debits before fees', '100000'),
    feeTotal: minorUnits(
      'The fees of its debits and disbursements, less those of disbursements that came back',
      '2000',
    ),
    refundTotal: minorUnits('Refunds sent minus refunds that came back', '10000'),
    // Answers of the day of an upgrade lack it, as an older process would answer.
    disbursementTotal: Type.Optional(
      minorUnits(
        'Disbursements minus those that came back, and what stays in the balance minus what the settlement before left there',
        '0',
      ),
    ),
    netAmount: minorUnits(
      'What is paid out: amount - feeTotal - refundTotal - disbursementTotal',
      '88000',
    ),
    currency: currencySchema,
    status,
    periodStart: instant,
    periodEnd: instant,
    payoutRef: nullable(Type.String({ description: 'The reference of the payout at the bank' })),
    itemCount: Type.Integer({
      description:
        'The number of its items: debits, refunds and disbursements, what came back of these, and what stays in the balance',
    }),
    createdAt: instant,
    processedAt: nullable(instant),
    completedAt: nullable(instant),
  },
  { title: 'Settlement' },
);

export const listSettlementsQuery = rangedListQuery('se', { status: severalOf(status) });

export const settlementItemSchema = Type.Object(
  {
    id: Type.String({
      description:
        'The id of the payment, refund or disbursement. If it came back, a refund has the prefix rb_ here, and a disbursement db_. KEPT has the id of the settlement that left it in the balance with the prefix kp_, and KEPT_RETURNED, in the settlement after it, with kb_.',
      examples: ['pi_01m7yhp3gfe04vkhm96w446fdc'],
    }),
    type: Type.Enum([...settlementItemTypes], { title: 'SettlementItemType' }),
    paymentIntentId: nullable(
      Type.String({
        description: 'Of a payment or refund; null for a disbursement',
        examples: ['pi_01m7yhp3gfe04vkhm96w446fdc'],
      }),
    ),
    refundId: nullable(Type.String()),
    amount: minorUnits('The amount of the payment, refund or disbursement', '10000'),
    feeAmount: minorUnits('The fee of the payment or disbursement', '200'),
    netAmount: minorUnits(
      'What it adds to the settlement, negative for a refund or disbursement',
      '9800',
    ),
    currency: currencySchema,
    createdAt: instant,
    disbursementId: nullable(
      Type.String({ description: 'Of a disbursement; null for a payment or refund' }),
    ),
  },
  { title: 'SettlementItem' },
);

export const listItemsQuery = rangedQuery(
  itemIdPattern,
  'must be an id that begins with pi_, re_, rb_, di_ or db_',
  {},
);

export const balanceSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          currency: currencySchema,
          available: minorUnits('What no settlement has taken yet', '9800'),
          pending: minorUnits('On its way to the bank', '0'),
          refundsInTransit: minorUnits('On its way back to customers', '0'),
          disbursementsInTransit: Type.Optional(minorUnits('On its way to wallets', '0')),
          keepBalance: Type.Optional(
            minorUnits('What settlements leave available, where that was agreed', '1000'),
          ),
        },
        { title: 'CurrencyBalance' },
      ),
      { description: 'One for each currency in which there was ever money; there are no pages.' },
    ),
  },
  { title: 'Balance' },
);
