import { randomUUID } from 'node:crypto';

export type Kind = 'payment' | 'refund' | 'session' | 'settlement' | 'disbursement' | 'batch';

/** A request that a merchant wants to take effect once, however often it repeats the request. */
export interface Order {
  kind: Kind;
  key: string;
  body: Record<string, unknown>;
  tries: number;
  /** The answer; each repetition must return the same bytes. */
  answer: { id: string; text: string } | undefined;
  /** The refusal. The merchant does not retry; after a single attempt, nothing of the order may exist. */
  refused: string | undefined;
}

export const pathOf: Record<Kind, string> = {
  payment: '/v1/payments',
  refund: '/v1/refunds',
  session: '/v1/checkout/sessions',
  settlement: '/v1/settlements/process',
  disbursement: '/v1/disbursements',
  batch: '/v1/disbursement_batches',
};

export interface Seen {
  kind: Kind;
  /** Every status that answers and events have reported. */
  statuses: Set<string>;
}

const kindOfPrefix: Record<string, Kind> = {
  pi: 'payment',
  re: 'refund',
  cs: 'session',
  se: 'settlement',
  di: 'disbursement',
  dib: 'batch',
};

/** The merchants' knowledge: every order, answer and reported status. */
export class OutsideRecord {
  readonly orders: Order[] = [];
  /** By the id of the API. */
  readonly seen = new Map<string, Seen>();
  /** Broken promises that requests revealed, in words. */
  readonly broken: string[] = [];
  /** Disbursements and batches that merchants have tried to cancel: not all of their rows need exist. */
  readonly stopped = new Set<string>();
  answers = 0;
  /** Requests without an answer or with a 5xx, in words: allowed while gateways are killed. */
  readonly failed: string[] = [];
  #amounts = 10_000;
  #disbursedAmounts = 200;

  order(kind: Kind, body: Record<string, unknown>): Order {
    const order: Order = {
      kind,
      key: randomUUID(),
      body,
      tries: 0,
      answer: undefined,
      refused: undefined,
    };
    this.orders.push(order);
    return order;
  }

  /** Unique, so that a debit identifies its order. */
  nextAmount(): number {
    this.#amounts += 1;
    return this.#amounts;
  }

  /** Unique too, and small beside payments, so that the balance mostly covers it. */
  nextDisbursedAmount(): number {
    this.#disbursedAmounts += 1;
    return this.#disbursedAmounts;
  }

  answered(order: Order, id: string, text: string): void {
    if (order.answer && order.answer.text !== text) {
      this.broken.push(
        `the same key got other bytes:\n  first ${order.answer.text}\n  later ${text}`,
      );
    }
    order.answer ??= { id, text };
  }

  refused(order: Order, isRepetition: boolean, words: string): void {
    if (isRepetition) {
      this.broken.push(
        `${order.kind} ${order.answer!.id} was answered, and its key was refused later: ${words}`,
      );
    } else if (!order.answer) order.refused = words;
  }

  sight(id: string, status: string): void {
    const seen = this.seen.get(id);
    if (seen) seen.statuses.add(status);
    else
      this.seen.set(id, {
        kind: kindOfPrefix[id.slice(0, id.indexOf('_'))]!,
        statuses: new Set([status]),
      });
  }
}
