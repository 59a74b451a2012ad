import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../torture/random.ts';

export interface LoadOptions {
  url: string;
  key: string;
  random: Random;
  payments: number;
  /** The share of payments with a special outcome. */
  disturbed: number;
  /** The amount of the first payment, in minor units; concurrent loads use separate ranges. */
  firstAmountMinor?: number;
  /** Called after each acknowledged payment. */
  onAcknowledged: (count: number) => void;
  /** Whether the merchant may disburse. */
  disburses?: boolean;
}

/** Payments that fail, whose callback is missing, repeated or late, or whose payer stays silent. */
const suffixes = ['129', '149', '139', '109', '049', '029', '069', '099'];
const clients = 48;
const patienceMs = 5_000;
const pauseMs = 50;
const refundShare = 0.1;
const disbursedShare = 0.3;
/** Recipients who are paid late, unclearly or not at all. */
const payeeSuffixes = ['129', '149', '139', '109', '159'];
const open = ['CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING'];
const queryIntervalMs = 200;
const maxQueries = 20;
/** Each payment has a unique amount, so two debits of one amount belong to one order. */
const lowestAmountMinor = 10_001;

interface Payment {
  id: string;
  status: string;
}

/** A disbursement that was acknowledged, and the request that may be repeated. */
export interface Disbursed {
  id: string;
  idempotencyKey: string;
  body: { amount: number; operator: string; operatorPhone: string };
}

/**
 * Creates payments, cancels some of the disturbed ones, refunds some of the others, and may disburse part of what came
 * in; repeats each request until it is answered.
 */
export class Load {
  readonly acknowledged: string[] = [];
  readonly disbursed: Disbursed[] = [];
  readonly refused: string[] = [];
  #options: LoadOptions;
  #made = 0;
  #isFinishing = false;
  #isEnded = false;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const client = async () => {
      const isDone = () =>
        this.#isEnded || this.#isFinishing || this.#made >= this.#options.payments;
      while (!isDone()) await this.#pay(this.#made++);
    };
    await Promise.all(Array.from({ length: clients }, client));
  }

  /**
   * Repeats a disbursement under its key, like a merchant whose gateway does not know it any more. @returns whether the
   * balance covered it
   */
  async repeat({ idempotencyKey, body }: Disbursed): Promise<boolean> {
    return (await this.#post('/v1/disbursements', body, [409], idempotencyKey)) !== undefined;
  }

  /** Makes no more payments, and completes those under way. */
  finish(): void {
    this.#isFinishing = true;
  }

  /** Stops all requests, answered or not. */
  end(): void {
    this.#isEnded = true;
  }

  async #pay(index: number): Promise<void> {
    const {
      random,
      disturbed,
      firstAmountMinor = lowestAmountMinor,
      onAcknowledged,
      disburses = false,
    } = this.#options;
    const isDisturbed = random.chance(disturbed);
    const isCancelled = isDisturbed && random.chance(0.3);
    const amount = firstAmountMinor + index;
    const suffix = isDisturbed ? random.pick(suffixes) : '345';
    const body = { amount, operator: 'CVMOVEL', operatorPhone: `+2389912${suffix}` };
    const payment = await this.#post('/v1/payments', body);
    if (!payment) return;
    this.acknowledged.push(payment.id);
    onAcknowledged(this.acknowledged.length);
    if (isCancelled) await this.#post(`/v1/payments/${payment.id}/cancel`, undefined, [409]);
    const status = await this.#outcome(payment.id);
    if (disburses && status === 'DEBITED' && random.chance(disbursedShare))
      await this.#disburse(amount);
    const isRefunded = status === 'DEBITED' && !isDisturbed && random.chance(refundShare);
    if (!isRefunded) return;
    const part = random.chance(0.5) ? { amount: 1 + random.below(amount) } : {};
    await this.#post('/v1/refunds', { paymentIntentId: payment.id, ...part });
  }

  /** Part of what came in goes out again; the balance may not cover it. */
  async #disburse(amount: number): Promise<void> {
    const { random, disturbed } = this.#options;
    const suffix = random.chance(disturbed) ? random.pick(payeeSuffixes) : '345';
    const body = {
      amount: 1 + random.below(amount),
      operator: 'CVMOVEL',
      operatorPhone: `+2389912${suffix}`,
    };
    const idempotencyKey = randomUUID();
    const disbursement = await this.#post('/v1/disbursements', body, [409], idempotencyKey);
    if (!disbursement) return;
    this.disbursed.push({ id: disbursement.id, idempotencyKey, body });
    if (!random.chance(disturbed)) return;
    await this.#post(`/v1/disbursements/${disbursement.id}/cancel`, undefined, [409]);
  }

  /** Waits like a shop, for a limited time, so that each client has one payment under way. */
  async #outcome(id: string): Promise<string> {
    for (let asked = 0; asked < maxQueries; asked++) {
      const payment = await this.#get(`/v1/payments/${id}`);
      if (payment && !open.includes(payment.status)) return payment.status;
      await delay(queryIntervalMs);
    }
    return 'unknown';
  }

  /** Repeats until there is an answer. @param expected statuses that are not reported */
  async #post(
    path: string,
    body: unknown,
    expected: number[] = [],
    idempotencyKey: string = randomUUID(),
  ): Promise<Payment | undefined> {
    const headers = { 'idempotency-key': idempotencyKey, 'content-type': 'application/json' };
    const init = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    while (!this.#isEnded) {
      const answer = await this.#ask('POST', path, init);
      if (!answer || answer.status >= 500) {
        await delay(pauseMs);
        continue;
      }
      if (answer.status === 200) return JSON.parse(answer.text) as Payment;
      if (!expected.includes(answer.status)) {
        this.refused.push(`POST ${path}: ${answer.status} ${answer.text}`);
      }
      return undefined;
    }
    return undefined;
  }

  async #get(path: string): Promise<Payment | undefined> {
    const answer = await this.#ask('GET', path, {});
    return answer?.status === 200 ? (JSON.parse(answer.text) as Payment) : undefined;
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
