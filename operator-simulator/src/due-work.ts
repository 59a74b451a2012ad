import type { Logger } from 'pino';
import type { Clock } from '../../server/src/platform/process/clock.ts';
import type { Commits } from './commits.ts';
import type { Faults } from './faults.ts';
import type { Provider } from './provider.ts';
import type { Callback, Transaction } from './records.ts';
import type { Store } from './store.ts';

export interface DueWorkDependencies {
  store: Store;
  commits: Commits;
  provider: Provider;
  clock: Clock;
  log: Logger;
  faults: Pick<Faults, 'ofJunk'>;
}

const mostAtOnce = 32;
const callbackTimeoutMs = 10_000;
const firstRetryMs = 1_000;
const longestRetryMs = 60_000;
const mostAttempts = 12;
const longestWaitMs = 60_000;

/** Distinct callbacks about no transaction. */
const junk = Array.from({ length: 10 }, (_, index) => ({
  errorCategory: 'businessRule',
  errorCode: `junk${index}`,
}));

/** Finishes due transactions and sends their callbacks, first those that came due while nothing ran. */
export class DueWork {
  #dependencies: DueWorkDependencies;
  #timer: NodeJS.Timeout | undefined;
  #sending = new Map<number, Promise<void>>();
  #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(dependencies: DueWorkDependencies) {
    this.#dependencies = dependencies;
  }

  /** Processes due work, now and whenever some comes due. */
  wake(): void {
    if (this.#stopping.signal.aborted || this.#running) return;
    clearTimeout(this.#timer);
    const waitMs = Math.max(this.#nextDueMs() - this.#dependencies.clock.nowMs(), 0);
    this.#timer = setTimeout(() => this.#turn(), Math.min(waitMs, longestWaitMs));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#running;
    await Promise.all(this.#sending.values());
  }

  #nextDueMs(): number {
    const { store } = this.#dependencies;
    const isFull = this.#sending.size >= mostAtOnce;
    const callbackMs = isFull ? null : store.nextCallbackMs(this.#sending.keys());
    return Math.min(
      store.nextTransactionMs() ?? Number.POSITIVE_INFINITY,
      callbackMs ?? Number.POSITIVE_INFINITY,
    );
  }

  #turn(): void {
    this.#running = this.#run()
      .catch((error: unknown) => this.#dependencies.log.error({ error }, 'the scheduler failed'))
      .finally(() => {
        this.#running = undefined;
        this.wake();
      });
  }

  async #run(): Promise<void> {
    const { store, commits, provider, clock } = this.#dependencies;
    await commits.run(() => provider.settleDue());
    const room = mostAtOnce - this.#sending.size;
    const due = store.dueCallbacks(clock.nowMs(), this.#sending.keys(), room);
    for (const callback of due) this.#begin(callback);
  }

  #begin(callback: Callback): void {
    const sending = this.#send(callback).finally(() => {
      this.#sending.delete(callback.number);
      this.wake();
    });
    this.#sending.set(callback.number, sending);
  }

  async #send(callback: Callback): Promise<void> {
    const { store, commits, clock, log, provider, faults } = this.#dependencies;
    const transaction = store.byNumber(callback.transactionNumber)!;
    // Finer than a clock of milliseconds.
    const sentAtMs = performance.timeOrigin + performance.now();
    if (callback.attempts === 0 && faults.ofJunk(callback.number)) {
      for (const body of junk) await this.#put(transaction, body);
    }
    const answer = await this.#put(transaction, provider.callbackBody(transaction, callback.told));
    if (this.#stopping.signal.aborted) return;
    const isTaken = /^2\d\d$/.test(answer);
    const isLast = isTaken || callback.attempts + 1 >= mostAttempts;
    const intervalMs = Math.min(firstRetryMs * 2 ** callback.attempts, longestRetryMs);
    const dueAtMs = isLast ? null : clock.nowMs() + intervalMs;
    await commits.run(() => store.attempted(callback.number, answer, sentAtMs, dueAtMs));
    const { reference, kind, status } = transaction;
    const { told, attempts } = callback;
    const facts = { reference, kind, status, told, answer, attempt: attempts + 1 };
    if (isTaken) log.info(facts, 'simulated callback accepted');
    else
      log.warn(facts, isLast ? 'simulated callback given up' : 'simulated callback not accepted');
  }

  /** @returns the status, or the reason without one */
  async #put(transaction: Transaction, body: unknown): Promise<string> {
    const { clock } = this.#dependencies;
    try {
      const signals = [AbortSignal.timeout(callbackTimeoutMs), this.#stopping.signal];
      const response = await fetch(transaction.callbackUrl!, {
        method: 'PUT',
        headers: {
          'content-type': 'application/json',
          'x-correlationid': transaction.correlationId,
          'x-date': new Date(clock.nowMs()).toISOString(),
        },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.any(signals),
      });
      await response.arrayBuffer();
      return String(response.status);
    } catch (error) {
      const { cause, message } = error as Error;
      return cause instanceof Error && cause.message !== '' ? cause.message : message;
    }
  }
}
