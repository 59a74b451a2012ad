import type { Logger } from 'pino';
import { JobWorker } from '../../../platform/jobs/worker.ts';
import { type ProcessBatchDependencies, processBatch } from './process.ts';
import { claimDueBatches, type DueBatch } from './store.ts';

export type BatchWorkerDependencies = Omit<ProcessBatchDependencies, 'batchLeaseMs' | 'wake'> & {
  log: Logger;
  /** Wakes the worker when a watch sees new rows. */
  idleIntervalMs?: number | undefined;
};

/** Longer than a chunk of rows may take. */
const leaseLengthMs = 10_000;
/** A large batch takes much memory: one of live keys and one of test keys at a time. */
const maxRunning = 1;

/** Writes the rows of batches, and completes them. */
export class BatchWorker {
  #worker: JobWorker<DueBatch>;
  #isStopping = false;

  constructor(dependencies: BatchWorkerDependencies) {
    const { database, clock, log, idleIntervalMs } = dependencies;
    const wake = (atMs: number) => this.wake(atMs);
    const processing = { ...dependencies, batchLeaseMs: leaseLengthMs, wake };
    this.#worker = new JobWorker<DueBatch>({
      name: 'disbursement batches',
      clock,
      log,
      leaseLengthMs,
      queueOf: ({ mode }) => mode,
      maxRunning: () => maxRunning,
      maxWaiting: maxRunning,
      claim: (nowMs, leaseMs, limit, { busyQueues: busyModes }) =>
        claimDueBatches(database, { nowMs, leaseMs, limit, busyModes }),
      process: (batch) => processBatch(processing, batch, () => this.#isStopping),
      idleIntervalMs,
    });
  }

  start(): void {
    this.#worker.start();
  }

  /** The rest of a batch is left to another process, or to the next start. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#worker.stop();
  }

  wake(atMs: number): void {
    this.#worker.wake(atMs);
  }
}
