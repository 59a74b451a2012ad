import { currencySchema } from '../../../integrations/operators/schemas.ts';
import { createTopUp } from '../../../money/top-ups/create.ts';
import { adminAuthorOf } from '../../../platform/http/author.ts';
import { pathId } from '../../../platform/http/lists.ts';
import { textOf } from '../../../platform/http/schema.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { Type } from '../../../platform/http/type.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { may } from '../route-permission.ts';
import { instant, minorUnits, params } from '../schemas.ts';
import type { AdminServices } from '../services.ts';

const reference = { description: "The bank's reference of the transfer", examples: ['BCA/77'] };

const topUpSchema = Type.Object(
  {
    id: Type.String({ examples: ['tu_01m7yhp3gge018xpacn8sjzp5w'] }),
    currency: currencySchema,
    amount: minorUnits('What arrived', '5000000'),
    bankReference: Type.String(reference),
    createdAt: instant,
  },
  { title: 'TopUp' },
);

const topUpBody = Type.Object(
  {
    currency: currencySchema,
    amount: textOf('^[1-9]\\d{0,17}$', 'must be a whole number of centavos above 0', {
      description: 'What arrived, in centavos',
    }),
    bankReference: Type.String({ ...reference, minLength: 1, maxLength: 140 }),
  },
  { title: 'CreateTopUpBody', additionalProperties: false },
);

/** Transfers that merchants made to our bank account for their balance. */
export function topUpRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags: ['Merchants'],
    params,
    operationId: 'createTopUp',
    summary: "Book a transfer to our bank account for a merchant's balance",
    description: 'Of the live mode. Each transfer is booked once, by its reference.',
    body: topUpBody,
    response: { 200: topUpSchema },
  };
  const config = may('settlements.decide', 'INVALID_STATE');
  scope.post('/merchants/:id/top-ups', { config, schema }, async (request) => {
    const id = pathId('me', request.params.id, 'merchant');
    const { currency, amount, bankReference } = request.body;
    const dependencies = { ...services, ...adminAuthorOf(request) };
    const given = { currency, amountMinor: BigInt(amount), bankReference };
    const made = await createTopUp(dependencies, id, given);
    return {
      id: formatId('tu', made.id),
      currency: made.currency,
      amount: made.amountMinor.toString(),
      bankReference: made.bankReference,
      createdAt: new Date(made.createdAtMs).toISOString(),
    };
  });
}
