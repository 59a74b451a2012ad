import type { Logger } from 'pino';
import type { Clock } from '../../src/platform/clock.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import type { Trace } from './trace.ts';

export const publicUrl = 'https://pay.example.cv';

const fee = { basisPoints: 200, fixedMinor: 50n };

/** As in production, but for what would make a seed long. */
export const settings = {
  timing: { expiryGraceMs: 20_000, firstAskGapMs: 5_000, longestAskGapMs: 120_000 },
  expiryMs: 60_000,
  settlementLeaseMs: 30_000,
  /** How long what was never acknowledged is asked about. */
  watchMs: 1_200_000,
  /** Whether a failure that only a callback tells is a definite answer. */
  callbacksAreBelieved: true,
  fees: { CVMOVEL: fee, UNITEL_TMAIS: fee, MOCK: fee },
};

/** A clock of a process's own, that may be wrong. */
export function clockOf(scheduler: Scheduler, actor: Actor, skewMs: number): Clock {
  return {
    nowMs: () => scheduler.nowMs + skewMs,
    after: (waitMs, run) => scheduler.after(actor, waitMs, 'a timer', run),
  };
}

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
