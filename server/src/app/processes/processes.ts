import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { reasonOf } from '../../platform/errors/errors.ts';
import type { PageLimits } from '../../storefront/checkout/page/open-pages.ts';
import type { Told } from './messages.ts';
import { Answers } from './primary-message-handler.ts';
import { WorkerProcess } from './worker-process.ts';

/** A worker that dies this often before it is ready, including replacements, will not start without help. */
const mostFailures = 5;
const firstPauseMs = 250;
/** The time limit for work in progress of a replaced worker. */
const leaveMs = 60_000;

export interface ProcessesOptions {
  count: number;
  storageUrl: string;
  pages: PageLimits;
  log: Logger;
}

/**
 * Manages the workers of this machine: starts them, replaces dead ones, restarts them one after the other, and stops
 * them.
 */
export class Processes {
  /** Rejects when workers can no longer be started. */
  readonly failed: Promise<never>;
  #options: ProcessesOptions;
  /** All running workers, including leaving ones. */
  #running = new Set<WorkerProcess>();
  #ready = new Set<WorkerProcess>();
  #answers: Answers;
  #fail: (reason: Error) => void;
  #failures = 0;
  #isRolling = false;
  #stopped = false;

  constructor(options: ProcessesOptions) {
    this.#options = options;
    this.#answers = new Answers(options, this.#ready);
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    this.failed = promise;
    this.#fail = reject;
  }

  /**
   * Starts the first worker alone, because it does the work of a first start and reports errors; then the others
   * together.
   */
  async start(): Promise<Told> {
    const first = await this.#add(0, { isFirst: true }).ready;
    const { count } = this.#options;
    const others = Array.from({ length: count - 1 }, (_, index) => this.#add(index + 1).ready);
    await Promise.all(others);
    for (const worker of this.#running) this.#watch(worker);
    return first;
  }

  /**
   * Replaces each worker by a new one, which is ready before the old one leaves. If a new worker cannot start, the old
   * ones stay.
   */
  async restart(): Promise<void> {
    const { log } = this.#options;
    if (this.#isRolling || this.#stopped) return;
    this.#isRolling = true;
    log.info('the processes are restarted, one after the other');
    try {
      for (const old of Array.from(this.#running)) if (!old.isLeaving) await this.#replace(old);
      log.info('all processes have been restarted');
    } catch (error) {
      log.error(
        { reason: reasonOf(error as Error) },
        'a new process cannot start; the old ones continue',
      );
    } finally {
      this.#isRolling = false;
    }
  }

  /** Stops all workers after their work in progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const running = [...this.#running];
    for (const worker of running) worker.stop('STOP');
    await Promise.all(running.map(({ ended }) => ended));
  }

  #add(slot: number, { isFirst } = { isFirst: false }): WorkerProcess {
    const { storageUrl } = this.#options;
    const worker = new WorkerProcess({ slot, storageUrl, isFirst }, (message, from) =>
      this.#answers.hear(message, from),
    );
    this.#running.add(worker);
    void worker.ready.then(() => this.#ready.add(worker)).catch(() => {});
    void worker.ended.then(() => {
      this.#running.delete(worker);
      this.#ready.delete(worker);
      this.#answers.forget(worker);
    });
    return worker;
  }

  async #replace(old: WorkerProcess): Promise<void> {
    const next = this.#add(old.slot);
    try {
      await next.ready;
    } catch (error) {
      next.kill();
      throw error;
    }
    this.#watch(next);
    old.stop('LEAVE');
    const tooLong = setTimeout(() => old.kill(), leaveMs);
    await old.ended;
    clearTimeout(tooLong);
  }

  /** Starts a replacement if it dies. */
  #watch(worker: WorkerProcess): void {
    void worker.ended.then((how) => {
      if (worker.isLeaving || this.#stopped) return;
      this.#options.log.error({ pid: worker.pid, how }, 'a process died; another takes its place');
      return this.#revive(worker.slot);
    });
  }

  async #revive(slot: number): Promise<void> {
    while (!this.#stopped) {
      const worker = this.#add(slot);
      try {
        await worker.ready;
        this.#failures = 0;
        this.#watch(worker);
        return;
      } catch (error) {
        worker.kill();
        this.#failures += 1;
        const reason = reasonOf(error as Error);
        this.#options.log.error({ reason, failures: this.#failures }, 'a process cannot start');
        if (this.#failures >= mostFailures) this.#fail(error as Error);
        else await delay(firstPauseMs * 2 ** this.#failures);
        if (this.#failures >= mostFailures) return;
      }
    }
  }
}
