import { randomUUID } from 'node:crypto';

export type Kind = 'payment' | 'refund' | 'session' | 'settlement';

/** Something a merchant wants once, however often it has to ask for it. */
export interface Order {
  kind: Kind;
  key: string;
  body: Record<string, unknown>;
  tries: number;
  /** What was answered; each repetition must get the same bytes. */
  answer: { id: string; text: string } | undefined;
  /** What it was refused with. It is not tried again; if that was the only try, nothing of it may exist. */
  refused: string | undefined;
}

export const pathOf: Record<Kind, string> = {
  payment: '/v1/payments',
  refund: '/v1/refunds',
  session: '/v1/checkout/sessions',
  settlement: '/v1/settlements/process',
};

export interface Seen {
  kind: Kind;
  /** Every status that the gateway has told of it, in answers and events. */
  statuses: Set<string>;
}

const kindOfPrefix: Record<string, Kind> = {
  pi: 'payment',
  re: 'refund',
  cs: 'session',
  se: 'settlement',
};

/** What merchants know from outside: every order, every answer, every status they were told of. */
export class OutsideRecord {
  readonly orders: Order[] = [];
  /** By the id of the API. */
  readonly seen = new Map<string, Seen>();
  /** Promises broken under the eyes of whoever asked, in words. */
  readonly broken: string[] = [];
  answers = 0;
  /** Requests that got no answer or one of 5xx, in words: no fault where gateways are killed. */
  readonly failed: string[] = [];
  #amounts = 10_000;

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

  /** No two orders have the same, so that a debit tells which order it is for. */
  nextAmount(): number {
    this.#amounts += 1;
    return this.#amounts;
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
    else this.seen.set(id, { kind: kindOfPrefix[id.slice(0, 2)]!, statuses: new Set([status]) });
  }
}
