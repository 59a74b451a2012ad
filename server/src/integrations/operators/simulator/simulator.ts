import type { Logger } from 'pino';
import { Batcher } from '../../../platform/jobs/batcher.ts';
import { Poller } from '../../../platform/jobs/poller.ts';
import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import type {
  DebitRecord,
  DebitRequest,
  DisbursementRequest,
  FailureCode,
  Operator,
  OperatorAnswer,
  OperatorNotification,
  OperatorTraits,
  ReversalRequest,
} from '../operator.ts';
import { simulatedTraits } from '../traits.ts';
import { behaviourOf, payeeBehaviourOf } from './behaviour.ts';
import {
  answerOf,
  decided,
  isOpen,
  newDebit,
  newDisbursement,
  nextOf,
  nextOfDisbursement,
  type PinEntry,
  transactionId,
} from './steps.ts';
import {
  findDueTransactions,
  findPhonesOfDebits,
  findTransaction,
  insertTransactions,
  type KnownDebit,
  type SimulatedTransaction,
  transitionTransactions,
} from './store.ts';

export interface SimulatorDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  /** The customer is prompted after a quarter of it and answers after all of it. */
  delayMs: number;
  /** Wakes the worker when a watch sees new rows. */
  idleIntervalMs?: number | undefined;
  /** Receives callbacks, each about one kind of transaction. */
  notify(notification: OperatorNotification, kind: SimulatedTransaction['kind']): Promise<void>;
}

/** The process that makes a row due also looks for it; others look only for rows left by a crash. */
const maxIntervalMs = 10_000;
const maxSteps = 500;

/**
 * A simulated operator, honest about being one: it keeps a table of its own, so that what it debited
 * can be compared with the ledger, and its behaviour is chosen by the phone number.
 */
export class Simulator implements Operator {
  #dependencies: SimulatorDependencies;
  #loop: Poller;
  #inserts: Batcher<SimulatedTransaction, boolean>;
  /** Looks up the phone that was debited. */
  #debits: Batcher<KnownDebit, string | undefined>;

  constructor(dependencies: SimulatorDependencies) {
    this.#dependencies = dependencies;
    const { clock, log, idleIntervalMs } = dependencies;
    this.#loop = new Poller({
      name: 'simulator',
      clock,
      log,
      claim: () => this.#step(),
      maxIntervalMs,
      idleIntervalMs,
    });
    this.#inserts = new Batcher({
      maxItems: 256,
      maxInFlight: 1,
      keyOf: (row) => row.tenantId + row.reference,
      ownerOf: ({ tenantId }) => tenantId,
      write: async (rows) => {
        const inserted = await insertTransactions(dependencies.database, rows);
        return rows.map((row) => inserted.has(row.reference));
      },
    });
    this.#debits = new Batcher({
      maxItems: 256,
      maxInFlight: 1,
      ownerOf: ({ tenantId }) => tenantId,
      write: (debits) => findPhonesOfDebits(dependencies.database, debits),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  wake(atMs: number): void {
    this.#loop.wakeAt(atMs);
  }

  async recordOf(request: DebitRequest): Promise<DebitRecord> {
    const { delayMs, clock } = this.#dependencies;
    const nowMs = clock.nowMs();
    const { outcome, failureCode = null } = behaviourOf(request.phone);
    const decides = outcome === 'DEBIT' || outcome === 'FAIL';
    const common = {
      operatorTxId: transactionId(request.reference),
      decideAtMs: decides ? nowMs + delayMs : null,
    };
    if (!decides || delayMs > 0) {
      const dueAtMs = nowMs + Math.round(delayMs / 4);
      return { ...common, status: 'PENDING', failureCode: null, dueAtMs };
    }
    const status = outcome === 'FAIL' ? 'FAILED' : 'SUCCEEDED';
    return { ...common, status, failureCode, dueAtMs: null };
  }

  async requestDebit(request: DebitRequest): Promise<OperatorAnswer> {
    const row = newDebit(
      request,
      request.record ?? (await this.recordOf(request)),
      this.#dependencies.clock.nowMs(),
    );
    if (!request.record && !(await this.#inserts.submit(row))) return this.queryDebit(request);
    if (row.dueAtMs !== null) this.#loop.wakeAt(row.dueAtMs);
    const { callbacks } = behaviourOf(row.phone);
    if (row.status === 'SUCCEEDED' && callbacks === 2) {
      await this.#notify(row);
      await this.#notify(row);
    }
    return answerOf(row);
  }

  async queryDebit(request: DebitRequest): Promise<OperatorAnswer> {
    const row = await findTransaction(
      this.#dependencies.database,
      request.tenantId,
      request.reference,
    );
    if (!row) return { kind: 'unknown', progress: 'NOT_FOUND' };
    if (isOpen(row) && request.abandoned && behaviourOf(row.phone).outcome === 'LATE') {
      return answerOf(await this.#debit(row));
    }
    return answerOf(row);
  }

  async reverse(request: ReversalRequest): Promise<OperatorAnswer> {
    const nowMs = this.#dependencies.clock.nowMs();
    const failureCode = request.kind === 'REFUND' ? await this.#refundFailure(request) : null;
    const row: SimulatedTransaction = {
      tenantId: request.tenantId,
      reference: request.reference,
      kind: request.kind,
      operator: request.operator,
      phone: '',
      amountMinor: request.amountMinor,
      currency: request.currency,
      status: failureCode === null ? 'SUCCEEDED' : 'FAILED',
      failureCode,
      operatorTxId: transactionId(request.reference),
      reversedTxId: request.operatorTxId,
      decideAtMs: null,
      expiresAtMs: nowMs,
      dueAtMs: null,
      createdAtMs: nowMs,
    };
    return (await this.#inserts.submit(row)) ? answerOf(row) : this.queryReversal(request);
  }

  async queryReversal(request: ReversalRequest): Promise<OperatorAnswer> {
    const row = await findTransaction(
      this.#dependencies.database,
      request.tenantId,
      request.reference,
    );
    return row ? answerOf(row) : { kind: 'unknown', progress: 'NOT_FOUND' };
  }

  /** Pays out at the end of the delay; nobody has to confirm. */
  async disburse(request: DisbursementRequest): Promise<OperatorAnswer> {
    const { clock, delayMs } = this.#dependencies;
    const row = newDisbursement(request, clock.nowMs(), delayMs);
    if (!(await this.#inserts.submit(row))) return this.queryDisbursement(request);
    if (row.dueAtMs !== null) this.#loop.wakeAt(row.dueAtMs);
    const { outcome, callbacks } = payeeBehaviourOf(row.phone);
    if (outcome === 'LOST') return { kind: 'unknown', progress: 'UNREACHABLE' };
    if (row.status === 'SUCCEEDED' && callbacks === 2) await this.#callBack(row);
    return answerOf(row);
  }

  async queryDisbursement({ tenantId, reference }: DisbursementRequest): Promise<OperatorAnswer> {
    const row = await findTransaction(this.#dependencies.database, tenantId, reference);
    const isKnown = row?.kind === 'DISBURSEMENT';
    return isKnown ? answerOf(row) : { kind: 'unknown', progress: 'NOT_FOUND' };
  }

  async #refundFailure({ tenantId, operatorTxId }: ReversalRequest): Promise<FailureCode | null> {
    const phone = await this.#debits.submit({ tenantId, operatorTxId });
    if (phone === undefined) return 'OPERATOR_REJECTED';
    return behaviourOf(phone).refundFailureCode ?? null;
  }

  async traits(): Promise<OperatorTraits> {
    return simulatedTraits;
  }

  /**
   * The customer enters the PIN now, whatever they would have done later. Undefined if the operator has decided, or
   * if it debits only once nobody waits any more. The caller needs no callback.
   */
  async enterPin(tenantId: string, reference: string): Promise<PinEntry | undefined> {
    const row = await findTransaction(this.#dependencies.database, tenantId, reference);
    const { outcome } = behaviourOf(row?.phone ?? '');
    if (row?.kind !== 'DEBIT' || !isOpen(row) || outcome === 'LATE') return undefined;
    const next = decided(row, outcome === 'FAIL' ? 'FAILED' : 'SUCCEEDED');
    const decide = async (transaction: Queryable) =>
      (await transitionTransactions(transaction, [{ next, dueAtMs: null }])).size > 0;
    return { answer: answerOf(next) as PinEntry['answer'], decide };
  }

  /** Each step is written once; a query finds a callback that a crash loses, but for a late success. */
  async #step(): Promise<number> {
    const { database, clock, delayMs } = this.#dependencies;
    const nowMs = clock.nowMs();
    const rows = await findDueTransactions(database, nowMs, maxSteps);
    if (rows.length === 0) return 0;
    const moves = rows.map((row) => ({
      next:
        row.kind === 'DISBURSEMENT' ? nextOfDisbursement(row, nowMs, delayMs) : nextOf(row, nowMs),
      dueAtMs: row.dueAtMs,
    }));
    const references = await transitionTransactions(database, moves);
    for (const { next } of moves) {
      if (next.dueAtMs !== null) this.#loop.wakeAt(next.dueAtMs);
      if (references.has(next.reference)) void this.#report(next);
    }
    return rows.length;
  }

  /** A late success is reported until the callback arrives. */
  async #report(row: SimulatedTransaction): Promise<void> {
    const hasArrived = await this.#callBack(row);
    if (row.status !== 'SUCCEEDED' || row.dueAtMs === null || !hasArrived) return;
    const reported = { next: { ...row, dueAtMs: null }, dueAtMs: row.dueAtMs };
    try {
      await transitionTransactions(this.#dependencies.database, [reported]);
    } catch (error) {
      const { reference } = row;
      this.#dependencies.log.warn({ err: error, reference }, 'a simulated callback is repeated');
    }
  }

  async #debit(row: SimulatedTransaction): Promise<SimulatedTransaction> {
    const next = decided(row, 'SUCCEEDED');
    const moved = await transitionTransactions(this.#dependencies.database, [
      { next, dueAtMs: null },
    ]);
    if (moved.size === 0) {
      return (
        (await findTransaction(this.#dependencies.database, row.tenantId, row.reference)) ?? row
      );
    }
    await this.#callBack(next);
    return next;
  }

  /** @returns whether the last callback arrived */
  async #callBack(row: SimulatedTransaction): Promise<boolean> {
    const of = row.kind === 'DISBURSEMENT' ? payeeBehaviourOf : behaviourOf;
    const { callbacks } = of(row.phone);
    const isDecided = row.status === 'SUCCEEDED' || row.status === 'FAILED';
    let hasArrived = false;
    for (let sent = 0; sent < (isDecided ? callbacks : Math.min(callbacks, 1)); sent++) {
      hasArrived = await this.#notify(row);
    }
    return hasArrived;
  }

  /** A lost callback does no harm: a query finds the outcome. */
  async #notify(row: SimulatedTransaction): Promise<boolean> {
    const { tenantId, reference, kind } = row;
    try {
      await this.#dependencies.notify({ tenantId, reference, answer: answerOf(row) }, kind);
      return true;
    } catch (error) {
      this.#dependencies.log.warn({ err: error, reference }, 'a simulated callback failed');
      return false;
    }
  }
}
