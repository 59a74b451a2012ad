import { findPayment } from '../../payments/store.ts';
import type { Database } from '../../platform/database.ts';
import { findRefund } from '../../refunds/store.ts';
import { findReversal } from '../../reversals/store.ts';
import type { OperatorNotice } from '../operator.ts';
import type { CallbackSubject, Known } from './handle.ts';
import type { CallbackKind } from './token.ts';

type Noticing = { notice(notice: OperatorNotice): Promise<void> };

export interface SubjectParts {
  database: Database;
  payments: Noticing;
  refunds: Noticing;
  reversals: Noticing;
}

/** What callbacks can be about, and who hears of them. */
export function callbackSubjects({
  database,
  ...parts
}: SubjectParts): Record<CallbackKind, CallbackSubject> {
  return {
    DEBIT: {
      async find(tenantId, reference) {
        const payment = await findPayment(database, tenantId, reference);
        if (!payment) return undefined;
        const isDebited = payment.operatorTxId !== null;
        // One that was cancelled or has expired may still be debited: late, and no contradiction.
        const ended = payment.status === 'FAILED' ? 'FAILED' : 'OPEN';
        return { ...payment, outcome: isDebited ? 'SUCCEEDED' : ended };
      },
      notice: (notice) => parts.payments.notice(notice),
    },
    REFUND: {
      async find(tenantId, reference) {
        const refund = await findRefund(database, tenantId, reference);
        const outcome = outcomeOf(refund?.status);
        return refund && { ...refund, outcome, operatorTxId: refund.operatorRefundId };
      },
      notice: (notice) => parts.refunds.notice(notice),
    },
    REVERSAL: {
      async find(tenantId, reference) {
        const reversal = await findReversal(database, tenantId, reference);
        // Its operatorTxId is that of the debit.
        return reversal && { ...reversal, outcome: outcomeOf(reversal.status), operatorTxId: null };
      },
      notice: (notice) => parts.reversals.notice(notice),
    },
  };
}

const outcomeOf = (status: string | undefined): Known['outcome'] =>
  status === 'SUCCEEDED' || status === 'FAILED' ? status : 'OPEN';
