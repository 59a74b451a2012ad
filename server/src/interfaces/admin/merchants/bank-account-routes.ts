import { currencySchema } from '../../../integrations/operators/schemas.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { adminAuthorOf } from '../../../platform/http/author.ts';
import { listOf, listQuery, pageOf, pathId, sendPage } from '../../../platform/http/lists.ts';
import { nullable, optional } from '../../../platform/http/schema.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { Type } from '../../../platform/http/type.ts';
import { accountView } from '../../../tenants/merchants/bank-account.ts';
import { listAccounts } from '../../../tenants/merchants/bank-account-store.ts';
import { changeBankAccount } from '../../../tenants/merchants/change-bank-account.ts';
import { findMerchant } from '../../../tenants/merchants/store.ts';
import { may } from '../route-permission.ts';
import { instant, params } from '../schemas.ts';
import type { AdminServices } from '../services.ts';

const tags = ['Merchants'];

const accountNumber = {
  description: 'An IBAN, or a NIB of 21 digits.',
  examples: ['CV64000500000020108215144'],
};

const bankAccountSchema = Type.Object(
  {
    id: Type.String({ examples: ['ba_01m7yhp3gge018xpak30bbsq3s'] }),
    currency: currencySchema,
    holder: Type.String({ examples: ['Loja da Praia, Lda'] }),
    last4: Type.String({ description: 'The last digits of the number' }),
    accountNumber: nullable(
      Type.String({
        ...accountNumber,
        description: 'The whole number; null without bank_accounts.write',
      }),
    ),
    bic: nullable(Type.String({ examples: ['BCATCVCV'] })),
    validFrom: instant,
    validUntil: nullable({ ...instant, description: 'Null while the account is in use' }),
  },
  { title: 'BankAccount' },
);

const changeAccountBody = Type.Object(
  {
    currency: currencySchema,
    accountNumber: Type.String({ maxLength: 64, ...accountNumber }),
    holder: Type.String({ minLength: 1, maxLength: 200 }),
    bic: optional(Type.String({ maxLength: 16 })),
  },
  { title: 'ChangeBankAccountBody', additionalProperties: false },
);

export function bankAccountRoutes(scope: HttpScope, services: AdminServices): void {
  listRoute(scope, services);
  changeRoute(scope, services);
}

function listRoute(scope: HttpScope, { database }: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listBankAccounts',
    summary: "List a merchant's current and former bank accounts, newest first",
    params,
    querystring: listQuery('ba', {}),
    response: { 200: listOf(bankAccountSchema) },
  };
  const config = may('bank_accounts.read');
  scope.get('/merchants/:id/bank-accounts', { config, schema }, async (request, reply) => {
    const id = pathId('me', request.params.id, 'merchant');
    if (!(await findMerchant(database, id))) throw notFound('merchant');
    const page = pageOf('ba', request.query);
    const rows = await listAccounts(database, id, page);
    const isWhole = request.adminKey.permissions.has('bank_accounts.write');
    return sendPage(reply, rows, page, (row) => JSON.stringify(accountView(row, isWhole)));
  });
}

function changeRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'changeBankAccount',
    summary: "Change a merchant's bank account for payouts in a currency",
    description:
      'Applies from the next settlement on; existing settlements keep their account. Sending the same account again changes nothing. With bank-accounts in FOUR_EYES, the answer is 403.',
    params,
    body: changeAccountBody,
    response: { 200: bankAccountSchema },
  };
  const config = may('bank_accounts.write');
  scope.put('/merchants/:id/bank-accounts', { config, schema }, async (request) => {
    const id = pathId('me', request.params.id, 'merchant');
    const dependencies = { ...services, ...adminAuthorOf(request) };
    const typed = { ...request.body, bic: request.body.bic ?? null };
    return accountView(await changeBankAccount(dependencies, id, typed), true);
  });
}
