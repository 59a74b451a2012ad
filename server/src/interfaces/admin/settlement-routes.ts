import {
  longestBankReference,
  parseBankReference,
  recordBankReference,
} from '../../money/settlements/bank-reference.ts';
import { downloadPayout } from '../../money/settlements/download.ts';
import { itemRangeOf, itemView, listItems } from '../../money/settlements/items/list.ts';
import { completeByHand, failByHand } from '../../money/settlements/manual-outcome.ts';
import {
  listItemsQuery,
  settlementSchema as ofMerchant,
  settlementItemSchema,
} from '../../money/settlements/schemas.ts';
import {
  type Settlement,
  settlementStatuses,
  staffSettlementView,
} from '../../money/settlements/settlement.ts';
import { findSettlementById, listAllSettlements } from '../../money/settlements/store.ts';
import { payoutFormats } from '../../platform/config/payout-account.ts';
import { notFound } from '../../platform/errors/errors.ts';
import { adminAuthorOf } from '../../platform/http/author.ts';
import { rangeOf } from '../../platform/http/list-range.ts';
import { listOf, listQuery, pageOf, pathId, sendPage } from '../../platform/http/lists.ts';
import { nullable } from '../../platform/http/schema.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { mergeRows } from '../../tenants/cells/all-cells.ts';
import type { InCell } from '../../tenants/cells/staff-cells.ts';
import { cell, cellOf, everywhere } from './query-all-cells.ts';
import { may } from './route-permission.ts';
import { merchantFilters, params, uuidOf } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['Settlements'];

const settlementSchema = Type.Object(
  {
    ...ofMerchant.properties,
    bankAccountId: nullable(
      Type.String({
        description: 'The bank account at its creation; null if there was none',
        examples: ['ba_01m7yhp3gge018xpak30bbsq3s'],
      }),
    ),
    payoutError: nullable(
      Type.String({ description: 'Why the last attempt to hand over its payout failed' }),
    ),
    bankReference: nullable(
      Type.String({
        description: "The bank's own reference of the transfer",
        examples: ['BCA/77'],
      }),
    ),
    cell,
  },
  { title: 'Settlement' },
);

const finishedSchema = Type.Object(
  {
    settlement: settlementSchema,
    warning: nullable(Type.String({ description: 'What a person must do' })),
  },
  { title: 'FinishedSettlement' },
);

const format = Type.Enum([...payoutFormats], { title: 'PayoutFormat' });

const orderSchema = Type.Object(
  {
    fileName: Type.String({ examples: ['se_01m7yhp3gge018xpak30bbsq3s.xml'] }),
    format,
    content: Type.String({ description: 'The whole file, as text' }),
  },
  { title: 'PayoutOrder' },
);

const listSettlementsQuery = listQuery('se', {
  ...merchantFilters,
  status: Type.Optional(Type.Enum([...settlementStatuses], { title: 'SettlementStatus' })),
});

export function settlementRoutes(scope: HttpScope, services: AdminServices): void {
  listRoute(scope, services);
  getRoute(scope, services);
  itemsRoute(scope, services);
  orderRoute(scope, services);
  completeRoute(scope, services);
  failRoute(scope, services);
  referenceRoute(scope, services);
}

const view = (settlement: Settlement) => ({
  ...staffSettlementView(settlement),
  currency: settlement.currency as 'CVE' | 'AOA',
});

async function find({ database }: AdminServices, given: string): Promise<Settlement> {
  const settlement = await findSettlementById(database, pathId('se', given, 'settlement'));
  if (!settlement) throw notFound('settlement');
  return settlement;
}

function listRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listSettlements',
    summary: 'List settlements of all merchants, newest first',
    querystring: listSettlementsQuery,
    response: { 200: listOf(settlementSchema) },
  };
  scope.get('/settlements', { config: may('settlements.read'), schema }, async (request, reply) => {
    const { query } = request;
    const page = pageOf('se', query);
    const filter = { ...query, merchantId: uuidOf('me', query.merchant_id) };
    const rows = await everywhere(services, (database) =>
      listAllSettlements(database, filter, page),
    );
    const inOrder = mergeRows(rows, ({ id }) => [id]);
    const jsonOf = (row: Settlement & InCell) => JSON.stringify({ ...view(row), ...cellOf(row) });
    return sendPage(reply, inOrder, page, jsonOf);
  });
}

function getRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'getSettlement',
    summary: 'Get a settlement',
    params,
    response: { 200: settlementSchema },
  };
  scope.get('/settlements/:id', { config: may('settlements.read'), schema }, async (request) =>
    view(await find(services, request.params.id)),
  );
}

function itemsRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'listSettlementItems',
    summary: 'List the items of a settlement, newest first',
    params,
    querystring: listItemsQuery,
    response: { 200: listOf(settlementItemSchema) },
  };
  const config = may('settlements.read');
  scope.get('/settlements/:id/items', { config, schema }, async (request, reply) => {
    const page = rangeOf(request.query);
    const settlement = await find(services, request.params.id);
    const rows = await listItems(services.database, settlement, itemRangeOf(page), page.limit);
    return sendPage(reply, rows, page, (row) => JSON.stringify(itemView(row)));
  });
}

function orderRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'getPayoutOrder',
    summary: 'Download the order for the bank, with whole account numbers',
    description:
      'In the requested format, by default that of the file in DATA_DIR/payouts. The references are the same in every format: give only one of them to the bank. Each download is in the audit log.',
    params,
    querystring: Type.Object({ format: Type.Optional(format) }, { additionalProperties: false }),
    response: { 200: orderSchema },
  };
  const config = may('settlements.download', 'INVALID_STATE');
  scope.get('/settlements/:id/order', { config, schema }, async (request) => {
    const seen = await find(services, request.params.id);
    const dependencies = { ...services, payouts: services.config.payouts };
    return downloadPayout(
      { ...dependencies, ...adminAuthorOf(request) },
      seen,
      request.query.format,
    );
  });
}

const bankReference = Type.String({
  minLength: 1,
  maxLength: longestBankReference,
  description: "The bank's own reference of the transfer",
});

function referenceRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'recordBankReference',
    summary: "Record the bank's own reference of a payout; it completes nothing",
    params,
    body: Type.Object(
      { bankReference },
      { title: 'BankReferenceBody', additionalProperties: false },
    ),
    response: { 200: settlementSchema },
  };
  const config = may('settlements.decide', 'INVALID_STATE');
  scope.post('/settlements/:id/bank-reference', { config, schema }, async (request) => {
    const seen = await find(services, request.params.id);
    const reference = parseBankReference(request.body.bankReference);
    const administration = { ...services, ...adminAuthorOf(request) };
    return view(
      await services.database.transaction((transaction) =>
        recordBankReference(transaction, administration, { seen, reference }),
      ),
    );
  });
}

function completeRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'completeSettlement',
    summary: 'Record that the bank has paid a settlement',
    params,
    body: Type.Union(
      [
        Type.Object(
          { bankReference: Type.Optional(bankReference) },
          { title: 'CompleteSettlementBody', additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: "With the bank's own reference of the transfer, if you have it." },
    ),
    response: { 200: finishedSchema },
  };
  const config = may('settlements.decide', 'INVALID_STATE');
  scope.post('/settlements/:id/complete', { config, schema }, async (request) => {
    const { params: given, body } = request;
    const seen = await find(services, given.id);
    const administration = { ...services, ...adminAuthorOf(request) };
    const typed = body?.bankReference;
    const reference = typed === undefined ? undefined : parseBankReference(typed);
    const { settlement, warning } = await completeByHand(
      administration,
      seen,
      reference === undefined
        ? undefined
        : async (transaction) => {
            await recordBankReference(transaction, administration, { seen, reference });
          },
    );
    const shown =
      reference === undefined ? settlement : { ...settlement, bankReference: reference };
    return { settlement: view(shown), warning: warning?.text ?? null };
  });
}

function failRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags,
    operationId: 'failSettlement',
    summary: 'Record that the bank has not paid a settlement: the money becomes payable again',
    params,
    response: { 200: finishedSchema },
  };
  const config = may('settlements.decide', 'INVALID_STATE');
  scope.post('/settlements/:id/fail', { config, schema }, async (request) => {
    const seen = await find(services, request.params.id);
    const { settlement, warning } = await failByHand(
      { ...services, ...adminAuthorOf(request) },
      seen,
    );
    return { settlement: view(settlement), warning: warning?.text ?? null };
  });
}
