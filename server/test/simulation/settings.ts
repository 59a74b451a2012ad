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

/** As in production, but for what would make a seed long. */
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

/** As `OPERATOR_…` would say it. */
export function operatorSettings({ deduplicates }: OperatorDials) {
  return {
    account: { key: 'organisationid', value: 'ZIMBO' },
    mode: 'callback',
    deduplicates,
    query: 'full',
  } as const;
}

/** The clock that a process goes by: it measures the database's, which is right, while its own may be wrong. */
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

/** What a gateway logs is a part of the story. */
export function logOf(trace: Trace, name: string): Logger {
  const say =
    (level: string): Write =>
    (context, message) => {
      const error = (context as { err?: Error }).err;
      trace.tell(name, `${level}: ${message ?? ''}${error ? ` (${error.message})` : ''}`);
    };
  const quiet: Write = () => {};
  const log = { debug: quiet, trace: quiet, info: quiet, warn: say('warns'), error: say('ERROR') };
  return log as unknown as Logger;
}
