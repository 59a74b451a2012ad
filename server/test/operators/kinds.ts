import assert from 'node:assert/strict';
import type { OperatorAnswer } from '../../src/operators/operator.ts';
import type { Payment } from '../../src/payments/payment.ts';
import type { Books } from './books.ts';

type Answering = (request: { repeated: boolean }) => OperatorAnswer | Promise<OperatorAnswer>;

interface Row {
  status: string;
  sentAtMs: number | null;
  dueAtMs: number | null;
  failureCode: string | null;
  askCount: number;
}

/** One of the three requests that leave the house: all of them obey the same rules. */
export interface Kind {
  name: 'debit' | 'refund' | 'reversal';
  send: 'requestDebit' | 'reverse';
  ask: 'askDebit' | 'askReversal';
  /** The statement that commits that a request is about to leave, when it leaves for the first time. */
  renewal: string;
  /** Begins one that is due now, and has not been attended to; gives its reference. */
  begin(books: Books): Promise<string>;
  onSend(books: Books, answer: Answering): void;
  onAsk(books: Books, answer: Answering): void;
  now(books: Books, reference: string): Promise<Row>;
  /** What the operator says when it has done it. */
  success: OperatorAnswer;
  /** As the row ends when the operator never had the request. */
  notReceived: string;
}

const base = (table: string) => ({
  async now({ database }: Books, reference: string): Promise<Row> {
    const text = `SELECT status, sent_at AS "sentAtMs", due_at AS "dueAtMs", failure_code AS "failureCode",
        ask_count AS "askCount" FROM ${table} WHERE id = $1`;
    return (await database.query<Row>({ text }, [reference]))[0]!;
  },
});

const givingBack = {
  send: 'reverse',
  ask: 'askReversal',
  onSend: ({ operator }: Books, answer: Answering) => {
    operator.onReverse = answer;
  },
  onAsk: ({ operator }: Books, answer: Answering) => {
    operator.onAskReversal = answer;
  },
  notReceived: 'FAILED',
} as const;

export const debits: Kind = {
  ...base('payments'),
  name: 'debit',
  send: 'requestDebit',
  ask: 'askDebit',
  renewal: 'payments.advance',
  begin: async (books) => (await books.create()).id,
  onSend: ({ operator }, answer) => {
    operator.onRequestDebit = answer;
  },
  onAsk: ({ operator }, answer) => {
    operator.onAskDebit = answer;
  },
  success: { kind: 'succeeded', operatorTxId: 'OP-1', amountMinor: 10_000n },
  notReceived: 'EXPIRED',
};

export const refunds: Kind = {
  ...base('refunds'),
  ...givingBack,
  name: 'refund',
  renewal: 'refunds.move',
  async begin(books) {
    const payment = await books.debited('OP-1');
    return (await books.refund(payment, 4_000n)).id;
  },
  success: { kind: 'succeeded', operatorTxId: 'OP-R', amountMinor: 4_000n },
};

export const reversals: Kind = {
  ...base('reversals'),
  ...givingBack,
  name: 'reversal',
  renewal: 'reversals.move',
  async begin(books) {
    return beginReversal(books, await books.debited('OP-1'), 'OP-2');
  },
  success: { kind: 'succeeded', operatorTxId: 'OP-R', amountMinor: 10_000n },
};

export const kinds = [debits, refunds, reversals];

/** A second debit of a payment, which must go back. */
export async function beginReversal(
  books: Books,
  payment: Payment,
  operatorTxId: string,
): Promise<string> {
  const { amountMinor } = payment;
  const debit = { reason: 'SECOND_DEBIT', operatorTxId, amountMinor } as const;
  await books.parts.reverse(payment, debit, books.operator.known.account);
  const begun = (await books.reversals()).find((each) => each.operatorTxId === operatorTxId);
  assert.ok(begun);
  return begun.id;
}
