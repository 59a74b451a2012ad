import assert from 'node:assert/strict';
import type { OperatorAnswer } from '../../src/integrations/operators/operator.ts';
import type { Payment } from '../../src/money/payments/payment.ts';
import { derivedUuid } from '../../src/platform/values/ids.ts';
import { exampleDisbursement, insertDisbursements } from '../support/disbursement.ts';
import type { Harness } from './harness.ts';

type Answering = (request: { repeated: boolean }) => OperatorAnswer | Promise<OperatorAnswer>;

interface Row {
  status: string;
  sentAtMs: number | null;
  dueAtMs: number | null;
  failureCode: string | null;
  queryCount: number;
}

/** The kinds of outgoing requests, which all obey the same rules. */
export interface Kind {
  name: 'debit' | 'refund' | 'reversal' | 'disbursement';
  send: 'requestDebit' | 'reverse' | 'disburse';
  ask: 'queryDebit' | 'queryReversal' | 'queryDisbursement';
  /** The statement that commits that a request is about to leave for the first time. */
  renewal: string;
  /** Begins a request that is due now and unprocessed; returns its reference. */
  begin(harness: Harness): Promise<string>;
  onSend(harness: Harness, answer: Answering): void;
  onQuery(harness: Harness, answer: Answering): void;
  now(harness: Harness, reference: string): Promise<Row>;
  /** The operator's answer when it has done it. */
  success: OperatorAnswer;
  /** The state of a request that the operator still does not find at the end of the watch. */
  notReceived: string;
  /** Whether a person decides about such a request: it never fails by a clock. */
  isDecidedByPerson?: boolean;
}

const base = (table: string) => ({
  async now({ database }: Harness, reference: string): Promise<Row> {
    const text = `SELECT status, sent_at AS "sentAtMs", due_at AS "dueAtMs", failure_code AS "failureCode",
        ask_count AS "queryCount" FROM ${table} WHERE id = $1`;
    return (await database.query<Row>({ text }, [reference]))[0]!;
  },
});

const givingBack = {
  send: 'reverse',
  ask: 'queryReversal',
  onSend: ({ operator }: Harness, answer: Answering) => {
    operator.onReverse = answer;
  },
  onQuery: ({ operator }: Harness, answer: Answering) => {
    operator.onQueryReversal = answer;
  },
  notReceived: 'FAILED',
} as const;

export const debits: Kind = {
  ...base('payments'),
  name: 'debit',
  send: 'requestDebit',
  ask: 'queryDebit',
  renewal: 'payments.step',
  begin: async (harness) => (await harness.create()).id,
  onSend: ({ operator }, answer) => {
    operator.onRequestDebit = answer;
  },
  onQuery: ({ operator }, answer) => {
    operator.onQueryDebit = answer;
  },
  success: { kind: 'succeeded', operatorTxId: 'OP-1', amountMinor: 10_000n },
  notReceived: 'EXPIRED',
};

export const refunds: Kind = {
  ...base('refunds'),
  ...givingBack,
  name: 'refund',
  renewal: 'refunds.move',
  async begin(harness) {
    const payment = await harness.debited('OP-1');
    return (await harness.refund(payment, 4_000n)).id;
  },
  success: { kind: 'succeeded', operatorTxId: 'OP-R', amountMinor: 4_000n },
};

export const reversals: Kind = {
  ...base('reversals'),
  ...givingBack,
  name: 'reversal',
  renewal: 'reversals.move',
  async begin(harness) {
    return beginReversal(harness, await harness.debited('OP-1'), 'OP-2');
  },
  success: { kind: 'succeeded', operatorTxId: 'OP-R', amountMinor: 10_000n },
};

/** Its reference is its id here; otherwise the two differ. */
export const disbursements: Kind = {
  ...base('disbursements'),
  name: 'disbursement',
  send: 'disburse',
  ask: 'queryDisbursement',
  renewal: 'disbursements.move',
  async begin({ database, tenantId, nowMs }) {
    const id = derivedUuid(tenantId, 'disbursement');
    const times = { dueAtMs: nowMs, createdAtMs: nowMs, updatedAtMs: nowMs };
    const expiresAtMs = nowMs + 86_400_000;
    const own = { tenantId, id, reference: id, expiresAtMs, ...times };
    await insertDisbursements(database, exampleDisbursement(own));
    return id;
  },
  onSend: ({ operator }, answer) => {
    operator.onDisburse = answer;
  },
  onQuery: ({ operator }, answer) => {
    operator.onQueryDisbursement = answer;
  },
  success: { kind: 'succeeded', operatorTxId: 'OP-D', amountMinor: 4_000n },
  notReceived: 'PROCESSING',
  isDecidedByPerson: true,
};

export const kinds = [debits, refunds, reversals, disbursements];

/** A second debit of a payment, which must go back. */
export async function beginReversal(
  harness: Harness,
  payment: Payment,
  operatorTxId: string,
): Promise<string> {
  const { amountMinor } = payment;
  const debit = { reason: 'SECOND_DEBIT', operatorTxId, amountMinor } as const;
  await harness.useCases.reverse(payment, debit, harness.operator.known.account);
  const begun = (await harness.reversals()).find((each) => each.operatorTxId === operatorTxId);
  assert.ok(begun);
  return begun.id;
}
