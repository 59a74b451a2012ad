import type { CountedBatch } from '../../money/disbursements/batches/batch.ts';
import { batchSchema as ofBatch } from '../../money/disbursements/batches/schemas.ts';
import {
  countedBatch,
  findAnyBatch,
  type OwnedBatch,
} from '../../money/disbursements/batches/store.ts';
import { batchView } from '../../money/disbursements/batches/view.ts';
import { disbursementSchema as ofMerchant } from '../../money/disbursements/schemas.ts';
import { findAnyDisbursement, type OwnedDisbursement } from '../../money/disbursements/store.ts';
import { disbursementView } from '../../money/disbursements/view.ts';
import { notFound } from '../../platform/errors/errors.ts';
import { adminAuthorOf } from '../../platform/http/author.ts';
import { pathId } from '../../platform/http/lists.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { formatId } from '../../platform/values/ids.ts';
import { maskPhone } from '../../platform/values/phone.ts';
import { may } from './route-permission.ts';
import { merchantId, mode, params } from './schemas.ts';
import type { AdminServices } from './services.ts';

const tags = ['Disbursements'];

const disbursementSchema = Type.Object(
  { ...ofMerchant.properties, merchantId, mode },
  { title: 'Disbursement' },
);

/** Only keys with phones.read see whole phones. */
const viewFor =
  ({ permissions }: { permissions: ReadonlySet<string> }) =>
  (disbursement: OwnedDisbursement) => {
    const view = disbursementView(disbursement);
    const { operatorPhone } = view;
    const isWhole = operatorPhone === null || permissions.has('phones.read');
    return {
      ...view,
      operatorPhone: isWhole ? operatorPhone : maskPhone(operatorPhone),
      merchantId: formatId('me', disbursement.merchantId),
      mode: disbursement.mode,
    };
  };

const batchSchema = Type.Object(
  { ...ofBatch.properties, merchantId, mode },
  { title: 'DisbursementBatch' },
);

/** Batches of any merchant. */
export function disbursementBatchRoutes(scope: HttpScope, services: AdminServices): void {
  const { database } = services;
  const common = { tags, params, response: { 200: batchSchema } };
  const find = async (id: string): Promise<OwnedBatch> => {
    const found = await findAnyBatch(database, pathId('dib', id, 'disbursement batch'));
    if (!found) throw notFound('disbursement batch');
    return found;
  };
  const viewOf = (batch: CountedBatch, { merchantId: of, mode: ofMode }: OwnedBatch) => ({
    ...batchView(batch),
    merchantId: formatId('me', of),
    mode: ofMode,
  });
  const path = '/disbursement-batches/:id';
  const get = {
    ...common,
    operationId: 'getDisbursementBatch',
    summary: 'Get a batch of disbursements of any merchant',
  };
  scope.get(path, { config: may('payments.read'), schema: get }, async (request) => {
    const found = await find(request.params.id);
    return viewOf(await countedBatch(database, found), found);
  });
  const cancel = {
    ...common,
    operationId: 'cancelDisbursementBatch',
    summary: 'Cancel what was not sent of a batch of disbursements',
    description:
      'Rows that are not created yet never will be. The money of others returns to the balance of the merchant.',
  };
  const config = may('merchants.write', 'INVALID_STATE');
  scope.post(`${path}/cancel`, { config, schema: cancel }, async (request) => {
    const found = await find(request.params.id);
    const { tenantId, id } = found;
    return viewOf(await services.cancelBatch(tenantId, id, adminAuthorOf(request)), found);
  });
}

/** Disbursements of any merchant. */
export function disbursementRoutes(scope: HttpScope, services: AdminServices): void {
  const { database } = services;
  const common = { tags, params, response: { 200: disbursementSchema } };
  const find = async (id: string) => {
    const found = await findAnyDisbursement(database, pathId('di', id, 'disbursement'));
    if (!found) throw notFound('disbursement');
    return found;
  };
  const get = {
    ...common,
    operationId: 'getDisbursement',
    summary: 'Get a disbursement of any merchant',
  };
  scope.get('/disbursements/:id', { config: may('payments.read'), schema: get }, async (request) =>
    viewFor(request.adminKey)(await find(request.params.id)),
  );
  const cancel = {
    ...common,
    operationId: 'cancelDisbursement',
    summary: 'Cancel a disbursement that was never sent',
    description: 'Amount and fee return to the balance of the merchant.',
  };
  const config = may('merchants.write', 'INVALID_STATE');
  scope.post('/disbursements/:id/cancel', { config, schema: cancel }, async (request) => {
    const { id, tenantId, merchantId: of, mode: ofMode } = await find(request.params.id);
    const cancelled = await services.cancelDisbursement(tenantId, id, adminAuthorOf(request));
    return viewFor(request.adminKey)({ ...cancelled, merchantId: of, mode: ofMode });
  });
}
