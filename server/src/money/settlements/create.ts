import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalidState } from '../../platform/errors/errors.ts';
import {
  findOriginal,
  type IdempotentRequest,
  idempotentRequest,
  keysOf,
  type RequestHashes,
} from '../../platform/idempotency/idempotency.ts';
import type { RenderingChange } from '../../platform/idempotency/rendering-change.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';
import { findCurrentAccount } from '../../tenants/merchants/bank-account-store.ts';
import { requireActiveMerchant } from '../../tenants/merchants/change-terms.ts';
import { keptPostings, payoutPostings } from '../ledger/postings.ts';
import type { Settlement } from './settlement.ts';
import { findSettlementByKeys, insertSettlement } from './store.ts';
import { lockUnsettled, oldestUnsettled, takePeriods, type Unsettled } from './unsettled-store.ts';

export interface ProcessInput {
  tenantId: string;
  merchantId: string;
  /** Null: the currency with the oldest unsettled debit. */
  currency: string | null;
  idempotencyKey: string | null;
  /** The actor who asks for it; absent for the daily settlement. */
  author?: Author;
}

export interface Processed {
  settlement: Settlement;
  replayed: boolean;
}

/**
 * Cuts a settlement: it takes every payable posting that no settlement has taken, so that its net equals the payable
 * balance now, less what the merchant keeps there. Undefined if there is nothing to settle.
 * @throws FORBIDDEN the merchant is suspended: its money waits
 * @throws INVALID_STATE a settlement of the currency is open
 * @throws IDEMPOTENCY_KEY_REUSED the key was used before with another body
 */
export type ProcessSettlement = (input: ProcessInput) => Promise<Processed | undefined>;

export interface ProcessDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  requestHashes: RequestHashes;
  settlementRendering: Pick<RenderingChange, 'at'>;
  wake(atMs: number): void;
}

export function makeProcessSettlement(dependencies: ProcessDependencies): ProcessSettlement {
  return async (input) => {
    const earlier = await replay(dependencies, input);
    if (earlier) return { settlement: earlier, replayed: true };
    const settlement = await cutUnlessReplayed(dependencies, input);
    if (settlement) {
      dependencies.wake(settlement.createdAtMs);
      return { settlement, replayed: false };
    }
    // Of two requests with one key, the second finds nothing left to settle.
    const meanwhile = await replay(dependencies, input);
    return meanwhile && { settlement: meanwhile, replayed: true };
  };
}

/** Undefined if there is nothing to settle, or a request with the same key was faster. */
async function cutUnlessReplayed(
  dependencies: ProcessDependencies,
  input: ProcessInput,
): Promise<Settlement | undefined> {
  const currency = input.currency ?? (await oldestUnsettled(dependencies.database, input.tenantId));
  if (currency === undefined) return undefined;
  try {
    return await cut(dependencies, input, currency);
  } catch (error) {
    if (await replay(dependencies, input)) return undefined;
    throw error;
  }
}

const replay = ({ database, requestHashes }: ProcessDependencies, input: ProcessInput) =>
  findOriginal(requestHashes, requestOf(input), (request) =>
    findSettlementByKeys(database, input.tenantId, keysOf(requestHashes, request)),
  );

const requestOf = ({ idempotencyKey, currency }: ProcessInput): IdempotentRequest | null =>
  idempotentRequest(idempotencyKey ?? undefined, { currency }, () => ({ currency }));

/** Locks one row, for any number of postings. */
function cut(
  dependencies: ProcessDependencies,
  input: ProcessInput,
  currency: string,
): Promise<Settlement | undefined> {
  const { tenantId } = input;
  return dependencies.database.transaction(async (transaction) => {
    const terms = await requireActiveMerchant(transaction, input.merchantId);
    const keptMinor = terms.disbursements.keepBalances[currency] ?? 0n;
    const unsettled = await lockUnsettled(transaction, tenantId, currency);
    if (!unsettled || netOf(unsettled) <= keptMinor) return undefined;
    const nowMs = dependencies.clock.nowMs();
    const id = dependencies.ids.next(nowMs);
    const periodStartMs = await takePeriods(transaction, tenantId, unsettled, id, nowMs);
    const request = requestOf(input);
    const requestHash = request && dependencies.requestHashes.of(request);
    const account = await findCurrentAccount(transaction, input.merchantId, currency);
    const bankAccountId = account?.id ?? null;
    const rendering = dependencies.settlementRendering.at(nowMs);
    const made = { id, nowMs, periodStartMs, requestHash, bankAccountId, rendering, keptMinor };
    const settlement = newSettlement(input, unsettled, made);
    const postings = [
      ...keptPostings(settlement, nowMs),
      ...payoutPostings(settlement, 'payout_out', nowMs),
    ];
    if (!(await insertSettlement(transaction, settlement, postings)))
      throw invalidState(`A settlement in ${currency} is open; wait until it has ended.`);
    if (input.author) await record(transaction, dependencies, settlement, input.author);
    return settlement;
  });
}

function record(
  transaction: Queryable,
  dependencies: ProcessDependencies,
  { tenantId, id, currency, netMinor, status }: Settlement,
  author: Author,
): Promise<void> {
  return writeAuditRecord(
    transaction,
    { ...dependencies, ...author },
    {
      tenantId,
      action: 'settlement.processed',
      subject: formatId('se', id),
      after: { status, currency, netMinor: netMinor.toString() },
    },
  );
}

const netOf = ({ grossMinor, feeMinor, refundMinor, disbursementMinor }: Unsettled) =>
  grossMinor - feeMinor - refundMinor - disbursementMinor;

function newSettlement(
  input: ProcessInput,
  unsettled: Unsettled,
  made: Pick<
    Settlement,
    'id' | 'periodStartMs' | 'requestHash' | 'bankAccountId' | 'rendering' | 'keptMinor'
  > & { nowMs: number },
): Settlement {
  const { nowMs, ...given } = made;
  const { keptMinor } = given;
  const { tenantId, merchantId, idempotencyKey } = input;
  const { currency, grossMinor, feeMinor, refundMinor, disbursementMinor, itemCount } = unsettled;
  return {
    ...given,
    tenantId,
    version: 1,
    merchantId,
    status: 'PENDING',
    currency,
    grossMinor,
    feeMinor,
    refundMinor,
    disbursementMinor: disbursementMinor + keptMinor,
    netMinor: netOf(unsettled) - keptMinor,
    itemCount: keptMinor > 0n ? itemCount + 1n : itemCount,
    payoutRef: null,
    bankReference: null,
    payoutError: null,
    idempotencyKey,
    periodEndMs: nowMs,
    toldPeriod: null,
    toldThrough: null,
    dueAtMs: nowMs,
    createdAtMs: nowMs,
    processedAtMs: null,
    completedAtMs: null,
  };
}
