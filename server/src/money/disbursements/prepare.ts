import type { CheckOperator } from '../../integrations/operators/check.ts';
import type { OperatorName } from '../../integrations/operators/operator.ts';
import type { DisbursementSettings } from '../../platform/config/disbursement-variables.ts';
import { DomainError, forbidden } from '../../platform/errors/errors.ts';
import type { IdempotentRequest, RequestHashes } from '../../platform/idempotency/idempotency.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { feeOf } from '../../platform/values/fee.ts';
import { derivedUuid, type Ids } from '../../platform/values/ids.ts';
import { type MerchantTerms, requireActive } from '../../platform/values/merchant-terms.ts';
import type { Currency } from '../../platform/values/money.ts';
import { checkWallet, readWallet, type Wallet } from '../payments/wallet.ts';
import type { PhoneDigests } from '../phones/digest.ts';
import { type CountedDay, checkLargest, daysOf, type KeyCaps } from './caps.ts';
import type { Disbursement } from './disbursement.ts';
import { disbursementRendering } from './view.ts';

/** With the mode of its tenant, which decides who processes it. */
export type DueDisbursement = Disbursement & { mode: 'live' | 'test' };

/** A request for a disbursement; the amount is in minor units. */
export interface CreateDisbursementInput {
  tenantId: string;
  mode: 'live' | 'test';
  amountMinor: bigint;
  operator: OperatorName;
  operatorPhone: string;
  currency: Currency | null;
  externalId: string | null;
  customerId: string | null;
  description: string | null;
  statementDescriptor: string | null;
  /** JSON text. */
  metadata: string | null;
  /** The API key of the request, and its limits; null: a person asks. */
  apiKey: (KeyCaps & { id: string }) | null;
  personId?: string | null;
  /** The terms agreed with the merchant. */
  terms: MerchantTerms;
}

/** What identifies a disbursement: the idempotency key of its request, or its row in a batch. */
export type DisbursementName =
  | { idempotency: IdempotentRequest }
  | { batch: { id: string; idempotencyKey: string }; row: number };

export interface PrepareDependencies {
  clock: Clock;
  ids: Ids;
  disbursementSettings: DisbursementSettings;
  checkOperator: CheckOperator;
  phoneDigests: PhoneDigests;
  requestHashes: RequestHashes;
  /** Its lease keeps other workers away from new disbursements. */
  worker: { leaseMs(disbursement: DueDisbursement): number };
}

/** A disbursement to be written if the balance covers it, and the days that it counts towards. */
export interface NewDisbursement {
  disbursement: DueDisbursement;
  days: readonly CountedDay[];
  /** Why it must not be paid, whatever the balance. */
  refusal?: DomainError;
}

/** The name at the operator: the same for the same request, also after a restore. */
export function referenceOf(tenantId: string, name: DisbursementName): string {
  const request =
    'batch' in name
      ? `disbursement_batches ${name.batch.idempotencyKey} ${name.row}`
      : `disbursements ${name.idempotency.key} 0`;
  return derivedUuid(tenantId, request);
}

/**
 * Builds a disbursement, without writing it.
 * @throws FORBIDDEN disbursements are switched off, the merchant is suspended or may not disburse, or the amount is
 * above its limit
 * @throws KEY_LIMIT_EXCEEDED the amount is above the limit of the API key
 * @throws VALIDATION_ERROR phone; in live mode an operator or currency that is not configured
 */
export async function prepareDisbursement(
  dependencies: PrepareDependencies,
  input: CreateDisbursementInput,
  name: DisbursementName,
): Promise<NewDisbursement> {
  requireAllowed(dependencies.disbursementSettings, input.mode, input.terms);
  const wallet = readWallet(input);
  check(dependencies, input, wallet);
  return build(dependencies, input, wallet, name);
}

/**
 * The same for a row of a batch that was accepted earlier. A limit or setting that has changed since then refuses the
 * row alone.
 */
export async function prepareRow(
  dependencies: PrepareDependencies,
  input: CreateDisbursementInput,
  name: DisbursementName,
): Promise<NewDisbursement> {
  const wallet = readWallet(input);
  const built = await build(dependencies, input, wallet, name);
  try {
    check(dependencies, input, wallet);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ...built, refusal: error };
  }
  return built;
}

function check(
  { checkOperator }: PrepareDependencies,
  input: CreateDisbursementInput,
  wallet: Wallet,
): void {
  const { apiKey, terms, amountMinor } = input;
  checkLargest(apiKey, terms.disbursements, { amountMinor, currency: wallet.currency });
  checkWallet(checkOperator, input, wallet);
}

async function build(
  dependencies: PrepareDependencies,
  input: CreateDisbursementInput,
  wallet: Wallet,
  name: DisbursementName,
): Promise<NewDisbursement> {
  const { disbursementSettings: settings, phoneDigests } = dependencies;
  const { mode, operator, amountMinor, apiKey, terms } = input;
  const digest = await phoneDigests.of(wallet.operatorPhone);
  const walletDigest = digest?.toString('hex') ?? null;
  const nowMs = dependencies.clock.nowMs();
  const disbursement: DueDisbursement = {
    tenantId: input.tenantId,
    mode,
    id: dependencies.ids.next(nowMs),
    ...namedColumns(dependencies, input, name),
    version: 1,
    status: 'CREATED',
    amountMinor,
    feeMinor: feeOf(amountMinor, settings.fees[operator]),
    currency: wallet.currency,
    operator,
    operatorPhone: wallet.operatorPhone,
    operatorTxId: null,
    failureCode: null,
    failureMessage: null,
    externalId: input.externalId,
    customerId: input.customerId,
    description: input.description,
    statementDescriptor: input.statementDescriptor,
    metadata: input.metadata,
    createdByKey: apiKey?.id ?? null,
    createdByPerson: input.personId ?? null,
    rendering: disbursementRendering,
    queryCount: 0,
    dueAtMs: nowMs,
    sentAtMs: null,
    byHand: false,
    expiresAtMs: nowMs + settings.expiryMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  disbursement.dueAtMs = dependencies.worker.leaseMs(disbursement);
  return { disbursement, days: daysOf({ apiKey, walletDigest, terms: terms.disbursements }) };
}

/** @throws FORBIDDEN disbursements are switched off, or the merchant is suspended or may not disburse */
export function requireAllowed(
  settings: DisbursementSettings,
  mode: 'live' | 'test',
  terms: MerchantTerms,
): void {
  if (!settings.isOn) throw forbidden('Disbursements are switched off on this gateway.');
  requireActive(terms);
  if (mode === 'live' && !terms.disbursements.isAllowed) {
    throw forbidden(
      'This merchant may not disburse with live keys. Ask the operator of the gateway to allow it.',
    );
  }
}

function namedColumns(
  { requestHashes }: PrepareDependencies,
  { tenantId }: CreateDisbursementInput,
  name: DisbursementName,
) {
  const reference = referenceOf(tenantId, name);
  if ('batch' in name) {
    const { batch, row } = name;
    return {
      reference,
      batchId: batch.id,
      batchRow: row,
      idempotencyKey: null,
      requestHash: null,
    };
  }
  const { idempotency } = name;
  return {
    reference,
    batchId: null,
    batchRow: null,
    idempotencyKey: idempotency.key,
    requestHash: requestHashes.of(idempotency),
  };
}
