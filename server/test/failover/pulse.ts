import type { OutsideRecord } from '../torture/record.ts';
import { pathOf } from '../torture/record.ts';

/** Often enough to measure tenths of a second, too seldom to load the gateway. */
const intervalMs = 25;
const patienceMs = 4_000;

export interface PulseOptions {
  record: OutsideRecord;
  url: string;
  key: string;
}

/**
 * Creates payments at a steady pace, regardless of answers, and measures the longest time without
 * an acknowledgement.
 */
export class Pulse {
  /** How many requests failed, by reason. */
  readonly refused = new Map<string, number>();
  #options: PulseOptions;
  #timer: NodeJS.Timeout;
  #sent: Promise<void>[] = [];
  #lastMs = performance.now();
  #longestMs = 0;
  #acknowledged = 0;

  private constructor(options: PulseOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#sent.push(this.#beat()), intervalMs);
  }

  static start(options: PulseOptions): Pulse {
    return new Pulse(options);
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  /**
   * Waits for the last answer. @returns the longest time without an acknowledgement, in seconds,
   * measured between two acknowledgements, so at least the time since the first refusal
   */
  async stop(): Promise<number> {
    clearInterval(this.#timer);
    await Promise.all(this.#sent);
    return this.#longestMs / 1_000;
  }

  async #beat(): Promise<void> {
    const { record, url, key } = this.#options;
    const body = { amount: record.nextAmount(), operator: 'MOCK', operatorPhone: '+2389912345' };
    const order = record.order('payment', body);
    order.tries += 1;
    const sentMs = performance.now();
    try {
      const answer = await fetch(url + pathOf.payment, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': order.key,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(patienceMs),
      });
      const text = await answer.text();
      const told = JSON.parse(text) as { id: string; status: string; error?: { code: string } };
      if (answer.status === 200) {
        record.answered(order, told.id, text);
        record.sight(told.id, told.status);
        this.#acknowledge();
      } else this.#refuse(`${answer.status} ${told.error?.code}`);
    } catch {
      const waitedMs = performance.now() - sentMs;
      this.#refuse(
        waitedMs < patienceMs ? 'connection lost' : `no answer in ${patienceMs / 1_000} s`,
      );
    }
  }

  #acknowledge(): void {
    const nowMs = performance.now();
    this.#longestMs = Math.max(this.#longestMs, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    this.#acknowledged += 1;
  }

  #refuse(words: string): void {
    this.refused.set(words, (this.refused.get(words) ?? 0) + 1);
  }
}
