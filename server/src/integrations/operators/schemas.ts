import { operatorNames } from '../../platform/config/operator-catalogue.ts';
import { nullable } from '../../platform/http/schema.ts';
import { Type } from '../../platform/http/type.ts';
import { currencies } from '../../platform/values/money.ts';
import { phoneFormat } from '../../platform/values/phone.ts';

export const operatorSchema = Type.Enum([...operatorNames], { title: 'Operator' });
export const currencySchema = Type.Enum([...currencies], {
  title: 'Currency',
  description: 'ISO currency code',
});

const country = nullable(Type.String({ description: 'ISO 3166 country code', examples: ['CV'] }));
const centavos = (description: string, example: string) =>
  Type.String({ description: `${description}, in centavos`, examples: [example] });

export const operatorDetailsSchema = Type.Object(
  {
    name: operatorSchema,
    label: Type.String({ description: 'What customers call it.', examples: ['CVMóvel'] }),
    country,
    currencies: Type.Array(currencySchema, { description: 'The currencies of its payments.' }),
    prefixes: Type.Array(Type.String({ examples: ['+23899'] }), {
      description:
        'How its numbers begin. Only a hint: customers take their numbers to other operators.',
    }),
    status: Type.Enum(['UP', 'DEGRADED', 'DOWN'], {
      title: 'OperatorStatus',
      description:
        'DOWN: payments will probably not reach customers. DEGRADED: some fail or are slow. Neither refuses a payment. A test key always sees UP.',
    }),
    statusSince: nullable(
      Type.String({
        format: 'date-time',
        examples: ['2026-11-21T09:30:00.000Z'],
        description: 'Null: for as long as the gateway knows.',
      }),
    ),
    minAmount: centavos('The smallest payment', '100'),
    maxAmount: centavos('The largest payment', '5000000'),
    confirmationSeconds: Type.Integer({
      description: 'How long customers have to confirm.',
      examples: [300],
    }),
    prompt: Type.Object(
      {
        pt: Type.String({
          description: 'In Portuguese.',
          examples: ['Confirme o pagamento com o seu PIN no telemóvel.'],
        }),
        en: Type.String({
          description: 'In English.',
          examples: ['Confirm the payment with your PIN on your phone.'],
        }),
      },
      { title: 'OperatorPrompt', description: 'What customers do to confirm.' },
    ),
  },
  { title: 'OperatorDetails' },
);

export const predictOperatorBody = Type.Object(
  {
    phone: Type.String({
      format: phoneFormat,
      maxLength: 64,
      description: 'In any spelling that a payment takes.',
      examples: ['+238 991 23-45'],
    }),
  },
  { title: 'PredictOperatorBody', additionalProperties: false },
);

export const predictionSchema = Type.Object(
  {
    phone: Type.String({ description: 'The phone, as it is stored.', examples: ['+2389912345'] }),
    country,
    currency: nullable(currencySchema),
    operator: nullable(operatorSchema),
    candidates: Type.Array(operatorSchema, {
      description:
        'The operators that a payment of this phone may go through, the likely ones first.',
    }),
  },
  { title: 'OperatorPrediction' },
);
