import type { Logger } from 'pino';
import { sendUnderLease } from '../../platform/jobs/send-under-lease.ts';
import { isTransient } from '../../platform/postgres/transient-errors.ts';
import { after } from '../../platform/process/clock.ts';
import { withAccount } from './download.ts';
import { type FinishDependencies, recordPaid } from './finish.ts';
import type { Payout } from './payout-file.ts';
import type { Settlement } from './settlement.ts';
import { findSettlement, transitionSettlement } from './store.ts';
import { modeOf } from './tenant-mode.ts';

export interface PayDependencies extends Omit<FinishDependencies, 'fourEyes'> {
  log: Logger;
  payout: Payout;
  /** How long handing over a payout may take, and how long to wait after a failed try. */
  payoutLengthMs: number;
  wake(atMs: number): void;
}

type Mode = 'live' | 'test';

const maxErrorLength = 500;
const confirmTries = 20;
const confirmIntervalMs = 1_000;

/**
 * Hands the payout of a settlement over to the bank, under the lease that it was claimed with. Commits first that the
 * payout is about to leave, with its reference, by a compare-and-set on the version and the lease: a worker that lost
 * the settlement meanwhile, to another process or to a person who failed it, stops there.
 */
export async function paySettlement(
  dependencies: PayDependencies,
  seen: Settlement,
): Promise<void> {
  const { database, clock, payout, payoutLengthMs: lengthMs } = dependencies;
  const mode = await modeOf(database, seen.tenantId);
  const payoutRef = seen.payoutRef ?? payout.referenceOf(seen, mode);
  const sent = await sendUnderLease<Settlement, unknown>({
    clock,
    lengthMs,
    renew: (sentAtMs, dueAtMs) => {
      const processedAtMs = seen.processedAtMs ?? sentAtMs;
      const change = { status: 'PROCESSING', payoutRef, processedAtMs, dueAtMs } as const;
      return transition(dependencies, seen, { ...change, payoutError: null }, seen.dueAtMs);
    },
    send: (row) => dispatchPayout(dependencies, row, mode).catch((error: unknown) => error),
  });
  if (sent.kind === 'LOST') return;
  const error = sent.kind === 'LATE' ? new Error('this process was held up') : sent.result;
  if (error !== undefined) await recordError(dependencies, sent.row, error);
}

/**
 * Ends when the payout is handed over and recorded, or when it has taken too long; then the rest continues in the
 * background.
 */
async function dispatchPayout(
  dependencies: PayDependencies,
  row: Settlement,
  mode: Mode,
): Promise<void> {
  const { clock, payout, payoutLengthMs } = dependencies;
  const { promise: tooLong, reject } = Promise.withResolvers<never>();
  let isOver = false;
  const callOff = after(clock, payoutLengthMs, () => {
    isOver = true;
    reject(new Error('handing it over took too long'));
  });
  const handedOver = async () => {
    const payable = await withAccount(dependencies.database, row);
    await payout.pay(payable, row.payoutRef!, () => !isOver && clock.nowMs() < row.dueAtMs!);
    await confirm(dependencies, row, mode);
  };
  try {
    await Promise.race([handedOver(), tooLong]);
  } finally {
    callOff();
  }
}

/** Keeps the file until the database has said which status the settlement has. */
async function confirm(dependencies: PayDependencies, row: Settlement, mode: Mode): Promise<void> {
  for (let left = confirmTries; ; left--) {
    try {
      return await confirmOnce(dependencies, row, mode);
    } catch (error) {
      if (left === 1 || !isTransient(error)) throw error;
      await new Promise<void>((resolve) => after(dependencies.clock, confirmIntervalMs, resolve));
    }
  }
}

/**
 * A process can freeze between its last look at the clock and the very moment when the payout takes effect; the
 * settlement may have FAILED by then, so the payout is taken back.
 */
async function confirmOnce(
  dependencies: PayDependencies,
  row: Settlement,
  mode: Mode,
): Promise<void> {
  const { database, payout, log } = dependencies;
  if (mode === 'test') {
    const completed = await recordPaid(dependencies, row);
    if (completed) return dependencies.wake(completed.dueAtMs!);
  } else if (await transition(dependencies, row, { dueAtMs: null })) {
    // Next a person records that the bank has paid: `zimbo settlements complete|fail`.
    return;
  }
  const now = await findSettlement(database, row.tenantId, row.id);
  // Another process has gone on with the same payout, under the same reference.
  if (now?.status !== 'FAILED') return;
  const about = { settlement: row.id, payout: row.payoutRef };
  const why = 'a payout was written after its settlement had FAILED';
  const please = 'make sure that the bank does not pay it';
  try {
    const withdrawn = await payout.withdraw(row.payoutRef!);
    log.error({ ...about, withdrawn }, `${why}, and taken back: ${please}`);
  } catch (error) {
    log.error({ ...about, err: error }, `${why}, and cannot be taken back: ${please}`);
  }
}

/** Shown to a person, who can then fail the settlement; until then the payout is retried. */
async function recordError(
  dependencies: PayDependencies,
  row: Settlement,
  error: unknown,
): Promise<void> {
  const { clock, log, payoutLengthMs } = dependencies;
  const message = error instanceof Error ? error.message : String(error);
  log.warn({ err: error, settlement: row.id }, 'a payout failed and will be retried');
  const dueAtMs = clock.nowMs() + payoutLengthMs;
  const payoutError = message.slice(0, maxErrorLength);
  if (await transition(dependencies, row, { payoutError, dueAtMs })) dependencies.wake(dueAtMs);
}

async function transition(
  { database, clock }: PayDependencies,
  seen: Settlement,
  change: Partial<Settlement>,
  leaseMs: number | null = null,
): Promise<Settlement | undefined> {
  const next = { ...seen, ...change, version: seen.version + 1 };
  const nothing = { events: [], postings: [], deliveriesDueAtMs: clock.nowMs() };
  const isMine = await transitionSettlement(database, seen, { next, leaseMs, ...nothing });
  return isMine && next;
}
