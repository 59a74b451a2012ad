import { shownThen } from '../../platform/idempotency/idempotency.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Transitions } from '../../platform/values/transitions.ts';

export const settlementStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const;
export type SettlementStatus = (typeof settlementStatuses)[number];

/** The allowed transitions of a settlement (docs/payment-states.md). PROCESSING stays with each try to hand it over. */
export const settlementTransitions: Transitions<SettlementStatus> = {
  PENDING: ['PROCESSING', 'FAILED'],
  PROCESSING: ['PROCESSING', 'COMPLETED', 'FAILED'],
  COMPLETED: [],
  FAILED: [],
};

/** One payout to a merchant. Amounts are in minor units, instants in milliseconds. */
export interface Settlement {
  tenantId: string;
  id: string;
  version: number;
  merchantId: string;
  status: SettlementStatus;
  currency: string;
  grossMinor: bigint;
  feeMinor: bigint;
  /** Refunds sent minus refunds that came back. */
  refundMinor: bigint;
  /** Disbursed, less what came back; with what it leaves in the balance, less what the one before left. */
  disbursementMinor: bigint;
  /** What it leaves in the balance. */
  keptMinor: bigint;
  netMinor: bigint;
  itemCount: bigint;
  /** The merchant's bank account at the cut; null if there was none. */
  bankAccountId: string | null;
  payoutRef: string | null;
  /** The bank's own reference of the transfer, as people or a bank statement tell it. */
  bankReference: string | null;
  /** Why the last try to hand over its payout failed; null while a try is under way. */
  payoutError: string | null;
  idempotencyKey: string | null;
  requestHash: Buffer | null;
  /** The version of the fields in the answer to its creation. */
  rendering: number;
  periodStartMs: number;
  periodEndMs: number;
  /** How far its payments are marked settled: the period, and the last payment in it. */
  toldPeriod: number | null;
  toldThrough: string | null;
  /** When it is due to be processed; while it is processed, the end of the lease. */
  dueAtMs: number | null;
  createdAtMs: number;
  processedAtMs: number | null;
  completedAtMs: number | null;
}

const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Which rendering of a settlement's creation first shows a field. */
const since = { disbursementTotal: 2 };

/** The settlement as the API shows it. Every field is always present. */
export function settlementView(settlement: Settlement) {
  return {
    id: formatId('se', settlement.id),
    merchantId: formatId('me', settlement.merchantId),
    amount: settlement.grossMinor.toString(),
    feeTotal: settlement.feeMinor.toString(),
    refundTotal: settlement.refundMinor.toString(),
    disbursementTotal: settlement.disbursementMinor.toString(),
    netAmount: settlement.netMinor.toString(),
    currency: settlement.currency,
    status: settlement.status,
    periodStart: new Date(settlement.periodStartMs).toISOString(),
    periodEnd: new Date(settlement.periodEndMs).toISOString(),
    payoutRef: settlement.payoutRef,
    itemCount: Number(settlement.itemCount),
    createdAt: new Date(settlement.createdAtMs).toISOString(),
    processedAt: instant(settlement.processedAtMs),
    completedAt: instant(settlement.completedAtMs),
  };
}

/** The same with the fields that only the gateway's staff see. */
export const staffSettlementView = (settlement: Settlement) => ({
  ...settlementView(settlement),
  bankAccountId:
    settlement.bankAccountId === null ? null : formatId('ba', settlement.bankAccountId),
  payoutError: settlement.payoutError,
  bankReference: settlement.bankReference,
});

/**
 * The answer to the creation of the settlement, whatever the settlement has become since and whatever fields are
 * shown by now.
 */
export function creationJson(settlement: Settlement): string {
  // The currency comes last, as in the API's answers from the beginning.
  const { currency, ...rest } = settlementView(createdSettlement(settlement));
  return JSON.stringify(shownThen({ ...rest, currency }, since, settlement.rendering));
}

function createdSettlement(settlement: Settlement): Settlement {
  const nothingYet = {
    payoutRef: null,
    bankReference: null,
    processedAtMs: null,
    completedAtMs: null,
  };
  return { ...settlement, ...nothingYet, status: 'PENDING' };
}
