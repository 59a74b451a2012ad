import {
  type PaymentStatus,
  paymentStatuses,
  type ShownPayment,
} from '../../money/payments/payment.ts';
import { paymentSchema as ofMerchant } from '../../money/payments/schemas.ts';
import { searchPayments } from '../../money/payments/search.ts';
import { findAnyPayment, findByTransaction, type Owner } from '../../money/payments/search-all.ts';
import { maskedPaymentView, paymentView } from '../../money/payments/view.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { listOf, listQuery, pageOf, pathId, sendPage } from '../../platform/http/lists.ts';
import { textOf } from '../../platform/http/schema.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { formatId, idPattern } from '../../platform/values/ids.ts';
import { mergeRows } from '../../tenants/cells/all-cells.ts';
import type { InCell } from '../../tenants/cells/staff-cells.ts';
import { findTenant } from '../../tenants/merchants/store.ts';
import { cell, cellOf, everywhere } from './query-all-cells.ts';
import { may } from './route-permission.ts';
import { merchantId, mode, params, uuidOf } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['Payments'];

const paymentSchema = Type.Object(
  { ...ofMerchant.properties, merchantId, mode, cell },
  { title: 'Payment' },
);

const listPaymentsQuery = listQuery('pi', {
  operator_transaction: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        "The operator's transaction id, across all merchants; excludes all other parameters.",
    }),
  ),
  merchant_id: Type.Optional(
    textOf(idPattern('me'), 'must be an id that begins with me_', {
      description: "A merchant's payments in one mode.",
    }),
  ),
  mode: Type.Optional(mode),
  status: Type.Optional(Type.Enum([...paymentStatuses], { title: 'PaymentStatus' })),
  search: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'An id, a phone, an order, a customer or a transaction of this merchant. Short references, amounts and the last digits of a phone are looked for in its newest 50,000 payments.',
    }),
  ),
});

/** Only keys with phones.read see whole phones. */
const viewFor =
  ({ permissions }: { permissions: ReadonlySet<string> }) =>
  (payment: ShownPayment & Owner & InCell) => ({
    ...(permissions.has('phones.read') ? paymentView(payment) : maskedPaymentView(payment)),
    merchantId: formatId('me', payment.merchantId),
    mode: payment.mode,
    ...cellOf(payment),
  });

export function paymentRoutes(scope: HttpScope, services: AdminServices): void {
  const { database } = services;
  const list = {
    tags,
    operationId: 'listPayments',
    summary: "Search payments by an operator's transaction, or those of a merchant",
    description:
      'Give either operator_transaction, or merchant_id with mode. A key without phones.read sees masked phones, and cannot search by phone.',
    querystring: listPaymentsQuery,
    response: { 200: listOf(paymentSchema) },
  };
  const config = may('payments.read', 'NOT_FOUND');
  scope.get('/payments', { config, schema: list }, async ({ query, adminKey }, reply) => {
    const page = pageOf('pi', query);
    const rows = await findPayments(
      services,
      { ...query, seesPhones: adminKey.permissions.has('phones.read') },
      page,
    );
    const view = viewFor(adminKey);
    return sendPage(reply, rows, page, (row) => JSON.stringify(view(row)));
  });
  const get = {
    tags,
    operationId: 'getPayment',
    summary: 'Get a payment of any merchant',
    params,
    response: { 200: paymentSchema },
  };
  scope.get('/payments/:id', { config, schema: get }, async (request) => {
    const id = pathId('pi', request.params.id, 'payment');
    const payment = await findAnyPayment(database, id);
    if (!payment) throw notFound('payment');
    return viewFor(request.adminKey)(payment);
  });
}

interface PaymentQuery {
  operator_transaction?: string;
  merchant_id?: string;
  mode?: 'live' | 'test';
  status?: PaymentStatus;
  search?: string;
  /** Whether the key may search by phone. */
  seesPhones: boolean;
}

/** @throws VALIDATION_ERROR if the query gives neither or both, or would search without a bound */
async function findPayments(
  services: AdminServices,
  query: PaymentQuery,
  page: { limit: number; startingAfter: string | undefined },
): Promise<(ShownPayment & Owner & InCell)[]> {
  const { database } = services;
  const { operator_transaction: transaction, merchant_id, mode: of, status } = query;
  const { search = '', seesPhones } = query;
  const merchant = uuidOf('me', merchant_id);
  if (transaction !== undefined) {
    if (merchant !== undefined || of !== undefined || status !== undefined || search !== '') {
      throw invalid('operator_transaction', 'must be given with nothing else');
    }
    const rows = await everywhere(services, (each) => findByTransaction(each, transaction));
    const { startingAfter } = page;
    const following = rows.filter(({ id }) => startingAfter === undefined || id < startingAfter);
    return mergeRows(following, ({ id }) => [id]);
  }
  if (merchant === undefined || of === undefined) {
    throw invalid('merchant_id', 'must be given with mode, unless operator_transaction is');
  }
  const tenant = await findTenant(database, merchant, of);
  if (!tenant) throw notFound('merchant');
  const scope = { tenantId: tenant.id, mode: of, seesPhones };
  const { rows } = await searchPayments(database, scope, search, { status }, page);
  return rows.map((row) => ({ ...row, merchantId: merchant, mode: of }));
}
