import type { Static, TSchema } from 'typebox';
import { adminAuthorOf } from '../../../platform/http/author.ts';
import { pathId } from '../../../platform/http/lists.ts';
import { nullable, textOf } from '../../../platform/http/schema.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { Type } from '../../../platform/http/type.ts';
import type { Currency } from '../../../platform/values/money.ts';
import {
  changeDisbursementTerms,
  disbursementTermsView,
  readDisbursementTerms,
} from '../../../tenants/merchants/disbursement-terms.ts';
import { may } from '../route-permission.ts';
import { params } from '../schemas.ts';
import type { AdminServices } from '../services.ts';

const tags = ['Merchants'];

const limits = {
  maxDisbursement: 'The limit for one disbursement, without its fee',
  maxDisbursedPerDay: 'The limit for all disbursements of a day (UTC) in one currency',
  maxDisbursedPerWalletAndDay: 'The same for one wallet',
};
const fieldsOf = <Field>(make: (description: string) => Field) =>
  Object.fromEntries(
    Object.entries(limits).map(([name, description]) => [
      name,
      make(`${description}, in centavos. Null: none.`),
    ]),
  ) as Record<keyof typeof limits, Field>;

/** By currency. */
const keepBalance = <Field extends TSchema>(make: (description: string) => Field) =>
  Type.Object(
    { CVE: make(kept('CVE')), AOA: make(kept('AOA')) },
    {
      additionalProperties: false,
      description: 'What settlements leave in the balance, for disbursements',
    },
  );
const kept = (currency: Currency) =>
  `In ${currency}, in centavos. Null: nothing, so that settlements pay everything out.`;

const termsSchema = Type.Object(
  {
    allowed: Type.Boolean({ description: 'Whether live keys may disburse' }),
    ...fieldsOf((description) => nullable(Type.String({ description }))),
    keepBalance: keepBalance((description) => nullable(Type.String({ description }))),
  },
  { title: 'DisbursementTerms' },
);

const centavos = (description: string) =>
  Type.Optional(
    nullable(textOf('^\\d{1,18}$', 'must be a whole number of centavos', { description })),
  );

const changeBody = Type.Object(
  {
    allowed: Type.Optional(Type.Boolean()),
    ...fieldsOf(centavos),
    keepBalance: Type.Optional(keepBalance(centavos)),
  },
  {
    title: 'ChangeDisbursementTermsBody',
    additionalProperties: false,
    description: 'Omitted fields stay unchanged.',
  },
);

const path = '/merchants/:id/disbursements';

/** What a merchant may disburse. */
export function disbursementTermsRoutes(scope: HttpScope, services: AdminServices): void {
  const common = { tags, params, response: { 200: termsSchema } };
  const get = {
    ...common,
    operationId: 'getDisbursementTerms',
    summary: 'Get what a merchant may disburse',
  };
  scope.get(path, { config: may('merchants.read'), schema: get }, async (request) => {
    const id = pathId('me', request.params.id, 'merchant');
    return disbursementTermsView(await readDisbursementTerms(services.database, id));
  });
  const change = {
    ...common,
    operationId: 'changeDisbursementTerms',
    summary: 'Change what a merchant may disburse',
    description:
      'Every process knows the new terms within 5 seconds. keepBalance holds from the next settlement on.',
    body: changeBody,
  };
  scope.patch(path, { config: may('merchants.write'), schema: change }, async (request) => {
    const id = pathId('me', request.params.id, 'merchant');
    const dependencies = { ...services, ...adminAuthorOf(request) };
    const terms = await changeDisbursementTerms(dependencies, id, changeOf(request.body));
    return disbursementTermsView(terms);
  });
}

function changeOf(body: Static<typeof changeBody>) {
  const { allowed, maxDisbursement, maxDisbursedPerDay, maxDisbursedPerWalletAndDay } = body;
  const keepBalances = Object.entries(body.keepBalance ?? {}).map(
    ([currency, text]) => [currency, minorOf(text)] as const,
  );
  return {
    ...(allowed !== undefined && { isAllowed: allowed }),
    ...(maxDisbursement !== undefined && { maxMinor: minorOf(maxDisbursement) }),
    ...(maxDisbursedPerDay !== undefined && { maxPerDayMinor: minorOf(maxDisbursedPerDay) }),
    ...(maxDisbursedPerWalletAndDay !== undefined && {
      maxPerWalletAndDayMinor: minorOf(maxDisbursedPerWalletAndDay),
    }),
    keepBalances: Object.fromEntries(keepBalances),
  };
}

const minorOf = (text: string | null) => (text === null ? null : BigInt(text));
