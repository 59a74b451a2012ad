import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../torture/random.ts';

export interface MovingLoadOptions {
  url: string;
  key: string;
  random: Random;
  clients: number;
  operator: 'CVMOVEL' | 'MOCK';
  /** Of the first payment, in minor units; no other payment of any load has an amount of this one. */
  firstAmountMinor: number;
}

interface Order {
  path: string;
  key: string;
  body: string;
  answer: string;
}

const patienceMs = 20_000;
const retryMs = 100;
const shopMs = 60;
const open = ['CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING'];

/** A shop: pays, asks how payments are, refunds some; each order under a key, until it is answered, and now and then again. */
export class MovingLoad {
  /** The payments and refunds that were acknowledged. */
  readonly payments: string[] = [];
  readonly refunds: string[] = [];
  /** What should not have been answered, in words. */
  readonly wrong: string[] = [];
  /** From the first try of an order to its answer. */
  longestMs = 0;
  /** How many answers asked for another try. */
  triedAgain = 0;
  readonly #options: MovingLoadOptions;
  readonly #orders: Order[] = [];
  #made = 0;
  #stopped = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: MovingLoadOptions) {
    this.#options = options;
  }

  start(): void {
    const client = async () => {
      while (!this.#stopped) await this.#shop();
    };
    this.#running = Promise.all(Array.from({ length: this.#options.clients }, client));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** Sends every order again: each key must be answered as it was. */
  async replayAll(): Promise<number> {
    const left = [...this.#orders];
    const client = async () => {
      for (let order = left.pop(); order; order = left.pop()) await this.#replay(order);
    };
    await Promise.all(Array.from({ length: this.#options.clients }, client));
    return this.#orders.length;
  }

  async #shop(): Promise<void> {
    const { random, firstAmountMinor, operator } = this.#options;
    const amount = firstAmountMinor + this.#made++;
    const body = { amount, operator, operatorPhone: '+2389912345' };
    const id = await this.#order('/v1/payments', body);
    if (id === undefined) return;
    this.payments.push(id);
    // Half of the customers do not wait: while nothing is sent to the operator, orders come all the same.
    if (random.chance(0.5)) return delay(shopMs);
    const status = await this.#outcome(id);
    if (status !== 'DEBITED' || !random.chance(0.4)) return;
    const part = random.chance(0.5) ? { amount: 1 + random.below(amount - 1) } : {};
    const refund = await this.#order('/v1/refunds', { paymentIntentId: id, ...part });
    if (refund !== undefined) this.refunds.push(refund);
  }

  async #order(path: string, fields: object): Promise<string | undefined> {
    const order: Order = { path, key: randomUUID(), body: JSON.stringify(fields), answer: '' };
    const beganMs = performance.now();
    const answer = await this.#send(order);
    this.longestMs = Math.max(this.longestMs, performance.now() - beganMs);
    if (answer === undefined) return undefined;
    order.answer = answer;
    this.#orders.push(order);
    if (this.#options.random.chance(0.3)) await this.#replay(order);
    return (JSON.parse(answer) as { id: string }).id;
  }

  async #replay(order: Order): Promise<void> {
    const again = await this.#send(order);
    if (again === undefined || again === order.answer) return;
    this.wrong.push(`one key was answered ${order.answer}, then ${again}`);
  }

  /** Until it is answered. */
  async #send({ path, key, body }: Order): Promise<string | undefined> {
    const headers = { 'idempotency-key': key, 'content-type': 'application/json' };
    for (;;) {
      const answer = await this.#ask('POST', path, { headers, body });
      if (answer?.status === 200) return answer.text;
      if (answer && answer.status < 500) {
        this.wrong.push(`POST ${path}: ${answer.status} ${answer.text}`);
        return undefined;
      }
      this.triedAgain += 1;
      await delay(retryMs);
    }
  }

  /** Waits as a shop does; not for ever. */
  async #outcome(id: string): Promise<string> {
    for (let asked = 0; asked < 100; asked++) {
      const answer = await this.#ask('GET', `/v1/payments/${id}`, {});
      if (answer?.status === 200) {
        const { status } = JSON.parse(answer.text) as { status: string };
        if (!open.includes(status)) return status;
      } else if (answer && answer.status < 500) {
        this.wrong.push(`GET of ${id}: ${answer.status} ${answer.text}`);
      }
      await delay(shopMs);
      if (this.#stopped) break;
    }
    return 'unknown';
  }

  async #ask(
    method: string,
    path: string,
    { headers, body }: { headers?: Record<string, string>; body?: string },
  ): Promise<{ status: number; text: string } | undefined> {
    const { url, key } = this.#options;
    try {
      const answer = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...headers },
        signal: AbortSignal.timeout(patienceMs),
        ...(body !== undefined && { body }),
      });
      return { status: answer.status, text: await answer.text() };
    } catch {
      return undefined;
    }
  }
}
