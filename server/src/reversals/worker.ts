import type { Logger } from 'pino';
import type { Operator, OperatorAnswer, OperatorNotice } from '../operators/operator.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueLoop } from '../platform/due-loop.ts';
import { WorkQueue } from '../platform/work-queue.ts';
import type { Reversal } from './reversal.ts';
import { claimDueReversals, findReversal, moveReversal } from './store.ts';

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
const maxNoticeTries = 10;

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

  /** Takes word of an outcome that nobody asked for; repeated or reordered, it changes nothing the second time. */
  async notice({ tenantId, reference, answer }: OperatorNotice): Promise<void> {
    if (answer.kind === 'unknown') return;
    for (let attempt = 0; attempt < maxNoticeTries; attempt++) {
      const reversal = await findReversal(this.#parts.database, tenantId, reference);
      if (!reversal || reversal.dueAtMs === null || (await this.#record(reversal, answer))) return;
    }
    throw new Error('a reversal changed under every try to record a notice');
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

  /** Gives false where the lease had passed to another: then nothing was written. */
  async #record(reversal: Reversal, answer: OperatorAnswer): Promise<boolean> {
    const { database, clock, log, firstAskGapMs } = this.#parts;
    const nowMs = clock.nowMs();
    switch (answer.kind) {
      case 'succeeded': {
        const change = { status: 'SUCCEEDED', dueAtMs: null, nowMs } as const;
        return moveReversal(database, reversal, change, [
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
      }
      case 'failed': {
        const { failureCode } = answer;
        const change = { status: 'FAILED', failureCode, dueAtMs: null, nowMs } as const;
        const isMine = await moveReversal(database, reversal, change, []);
        const context = { reversal: reversal.id, failureCode };
        if (isMine) log.error(context, 'the operator refused to reverse a debit');
        return isMine;
      }
      case 'unknown': {
        const gapMs = Math.min(
          firstAskGapMs * 2 ** Math.min(reversal.askCount, 20),
          longestAskGapMs,
        );
        const change = { status: 'PROCESSING', dueAtMs: nowMs + gapMs, nowMs } as const;
        this.wake(nowMs + gapMs);
        return moveReversal(database, reversal, change, []);
      }
    }
  }
}
