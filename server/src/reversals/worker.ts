import type { Logger } from 'pino';
import type { Operator, OperatorAnswer } from '../operators/operator.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueLoop } from '../platform/due-loop.ts';
import { WorkQueue } from '../platform/work-queue.ts';
import type { Reversal } from './reversal.ts';
import { claimDueReversals, moveReversal } from './store.ts';

export interface ReversalWorkerParts {
  database: Database;
  clock: Clock;
  log: Logger;
  operatorFor(reversal: Reversal): Operator;
  /** How long an operator may take to answer; shorter than the lease. */
  operatorTimeoutMs: number;
  firstAskGapMs: number;
}

const leaseMarginMs = 5_000;
const maxRunning = 32;
/** Reversals are rare, and made known to the process that makes them. */
const longestGapMs = 10_000;
const longestAskGapMs = 3_600_000;

/** Gives wrong debits back: asks the operator for the reversal, then about it until it is definite. */
export class ReversalWorker {
  #parts: ReversalWorkerParts;
  #queue: WorkQueue<Reversal>;
  #loop: DueLoop;

  constructor(parts: ReversalWorkerParts) {
    this.#parts = parts;
    this.#queue = new WorkQueue({ maxRunning, work: (reversal) => this.#attend(reversal) });
    const { clock, log } = parts;
    const claim = () => this.#claim();
    this.#loop = new DueLoop({ name: 'reversals', clock, log, claim, longestGapMs });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#queue.stop();
  }

  wake(atMs: number): void {
    this.#loop.wakeAt(atMs);
  }

  async #claim(): Promise<number> {
    const nowMs = this.#parts.clock.nowMs();
    const leaseMs = nowMs + this.#parts.operatorTimeoutMs + leaseMarginMs;
    const room = maxRunning - this.#queue.waiting;
    if (room <= 0) return 0;
    const reversals = await claimDueReversals(this.#parts.database, nowMs, leaseMs, room);
    for (const reversal of reversals) this.#queue.add(reversal);
    return reversals.length;
  }

  async #attend(reversal: Reversal): Promise<void> {
    try {
      await this.#record(reversal, await this.#ask(reversal));
    } catch (error) {
      this.#parts.log.warn(
        { err: error, reversal: reversal.id },
        'a reversal waits for its next try',
      );
    }
  }

  /** PROCESSING is committed before the operator is called; what may have been sent is asked about first. */
  async #ask(reversal: Reversal): Promise<OperatorAnswer> {
    const operator = this.#parts.operatorFor(reversal);
    const request = { ...reversal, kind: 'REVERSAL', reference: reversal.id } as const;
    if (reversal.status === 'PROCESSING') {
      const answer = await operator.askReversal(request);
      if (answer.kind !== 'unknown' || answer.progress !== 'NOT_FOUND') return answer;
      return operator.reverse(request);
    }
    const processing = { status: 'PROCESSING', dueAtMs: reversal.dueAtMs } as const;
    const nowMs = this.#parts.clock.nowMs();
    const mine = await moveReversal(this.#parts.database, reversal, { ...processing, nowMs }, []);
    if (!mine) return { kind: 'unknown', progress: 'PENDING' };
    return operator.reverse(request);
  }

  async #record(reversal: Reversal, answer: OperatorAnswer): Promise<void> {
    const { database, clock, log, firstAskGapMs } = this.#parts;
    const nowMs = clock.nowMs();
    switch (answer.kind) {
      case 'succeeded': {
        const change = { status: 'SUCCEEDED', dueAtMs: null, nowMs } as const;
        await moveReversal(database, reversal, change, [
          {
            tenantId: reversal.tenantId,
            sourceId: reversal.id,
            kind: 'suspense_out',
            from: 'suspense',
            to: `operator:${reversal.operator}`,
            currency: reversal.currency,
            amountMinor: reversal.amountMinor,
            createdAtMs: nowMs,
          },
        ]);
        return;
      }
      case 'failed': {
        const { failureCode } = answer;
        const change = { status: 'FAILED', failureCode, dueAtMs: null, nowMs } as const;
        await moveReversal(database, reversal, change, []);
        log.error(
          { reversal: reversal.id, failureCode },
          'the operator refused to reverse a debit',
        );
        return;
      }
      case 'unknown': {
        const gapMs = Math.min(
          firstAskGapMs * 2 ** Math.min(reversal.askCount, 20),
          longestAskGapMs,
        );
        const change = { status: 'PROCESSING', dueAtMs: nowMs + gapMs, nowMs } as const;
        await moveReversal(database, reversal, change, []);
        this.wake(nowMs + gapMs);
      }
    }
  }
}
