import type { Logger } from 'pino';
import type { Payment } from '../payments/payment.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { derivedUuid } from '../platform/ids.ts';
import type { Reversal, ReversalReason } from './reversal.ts';
import { insertReversal } from './store.ts';

export interface WrongDebit {
  reason: ReversalReason;
  operatorTxId: string;
  amountMinor: bigint;
}

export interface StartReversalParts {
  database: Database;
  clock: Clock;
  log: Logger;
  wake(atMs: number): void;
  onReversal(reversal: Reversal): void;
}

/**
 * Books a debit that came too late, twice or with another amount to suspense, and has it reversed at
 * the operator. Its reference is derived from the payment and the operator's transaction: heard of
 * again, the same debit changes nothing.
 */
export type StartReversal = (payment: Payment, debit: WrongDebit) => Promise<void>;

export function createStartReversal(parts: StartReversalParts): StartReversal {
  return async (payment, debit) => {
    const nowMs = parts.clock.nowMs();
    const reversal: Reversal = {
      tenantId: payment.tenantId,
      id: derivedUuid(payment.id, debit.operatorTxId),
      paymentId: payment.id,
      reason: debit.reason,
      status: 'PENDING',
      amountMinor: debit.amountMinor,
      currency: payment.currency,
      operator: payment.operator,
      operatorTxId: debit.operatorTxId,
      failureCode: null,
      askCount: 0,
      dueAtMs: nowMs,
      createdAtMs: nowMs,
    };
    const isNew = await insertReversal(parts.database, reversal, {
      tenantId: reversal.tenantId,
      sourceId: reversal.id,
      kind: 'suspense_in',
      from: `operator:${reversal.operator}`,
      to: 'suspense',
      currency: reversal.currency,
      amountMinor: reversal.amountMinor,
      createdAtMs: nowMs,
    });
    if (!isNew) return;
    const { paymentId, reason, operatorTxId } = reversal;
    parts.log.warn({ paymentId, reason, operatorTxId }, 'a debit went to suspense to be reversed');
    parts.onReversal(reversal);
    parts.wake(nowMs);
  };
}
