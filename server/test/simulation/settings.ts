import type { Logger } from 'pino';
import { defaultHintBackoffMs } from '../../src/money/callbacks/handle.ts';
import { operatorNames, recordOf } from '../../src/platform/config/operator-catalogue.ts';
import { DatabaseClock } from '../../src/platform/postgres/database-clock.ts';
import type { Clock } from '../../src/platform/process/clock.ts';
import type { OperatorDials } from './dials.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import type { Trace } from './trace.ts';

export const publicUrl = 'https://pay.example.cv';

const fee = { basisPoints: 200, fixedMinor: 50n };

/** As in production, except for values that would make a seed long. */
export const settings = {
  timing: {
    expiryGraceMs: 20_000,
    firstBackoffMs: 5_000,
    maxBackoffMs: 60_000,
    watchMs: 600_000,
    hintBackoffMs: defaultHintBackoffMs,
  },
  expiryMs: 60_000,
  settlementLeaseMs: 30_000,
  fees: recordOf(operatorNames, () => fee),
};

/** As `OPERATOR_…` would set it. */
export function operatorSettings({ deduplicates }: OperatorDials) {
  return {
    account: { key: 'organisationid', value: 'ZIMBO' },
    mode: 'callback',
    deduplicates,
    query: 'full',
  } as const;
}

/**
 * A process's clock: it measures the database's clock, which is right, while its own may be wrong.
 */
export function clockOf(scheduler: Scheduler, actor: Actor, skewMs: number): MeasuredClock {
  const clock = new DatabaseClock({
    wallClock: { nowMs: () => scheduler.nowMs + skewMs },
    monotonicClock: { nowMs: () => scheduler.nowMs },
    readDatabaseMs: () => scheduler.turn(actor, 'the time', async () => scheduler.nowMs),
  });
  return {
    nowMs: () => clock.nowMs(),
    isReliable: () => clock.isReliable(),
    measure: () => clock.measure(),
    after: (waitMs, run) => scheduler.after(actor, waitMs, 'a timer', run),
  };
}

export type MeasuredClock = Clock & Pick<DatabaseClock, 'measure'>;

type Write = (context: unknown, message?: string) => void;

/** Adds a gateway's log lines to the story. */
export function logOf(trace: Trace, name: string): Logger {
  const say =
    (level: string): Write =>
    (context, message) => {
      const error = (context as { err?: Error }).err;
      trace.add(name, `${level}: ${message ?? ''}${error ? ` (${error.message})` : ''}`);
    };
  const quiet: Write = () => {};
  const log = { debug: quiet, trace: quiet, info: quiet, warn: say('warns'), error: say('ERROR') };
  return log as unknown as Logger;
}

/** No refund needs a second person, and answers show the order of the payment. */
export const refundSettings = {
  refundApprovalAbove: {},
  refundRendering: { at: () => 2 as const },
};

/** Unsent disbursements wait for some minutes, so that an outage may outlast them. */
export const disbursementSettings = {
  isOn: true,
  expiryMs: 150_000,
  fees: settings.fees,
  approvalAbove: {},
  floatAlerts: { CVMOVEL: 0n, UNITEL_TMAIS: 0n },
};

/** Answers to new settlements show what was disbursed. */
export const settlementRendering = { at: () => 2 as const };
