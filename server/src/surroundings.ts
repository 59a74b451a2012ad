import type { Logger } from 'pino';
import type { AdapterOf } from './operators/adapters.ts';
import { askGaps } from './operators/asking.ts';
import { defaultHintGapsMs } from './operators/callbacks/handle.ts';
import type { PaymentTiming } from './payments/decide.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Tracing } from './platform/tracing.ts';

/** What the gateway needs beyond its configuration. */
export interface Surroundings {
  config: Config;
  adapterOf: AdapterOf;
  databaseUrl: string;
  secretKey: Buffer;
  /** Opens what secretKey does not, while that is being replaced. */
  previousSecretKey?: Buffer | undefined;
  log: Logger;
  tracing?: Tracing | undefined;
  /** Shorter for tests that would otherwise wait. */
  timing?: Partial<Timing>;
  /** The clock of the machine; a wrong one for tests. */
  wallClock?: Clock | undefined;
  /** Whether all is done that must be done before others are told that it is ready. */
  isStarted?: (() => boolean) | undefined;
}

/** How long what may take. All in milliseconds. */
export interface Timing extends PaymentTiming {
  /** One attempt to deliver a webhook; the lease of a delivery is three times as long. */
  deliveryTimeoutMs: number;
  settlementLeaseMs: number;
  /** The gaps between the questions that a callback leads to. */
  hintGapsMs: readonly number[];
  /** Between two measurements of the clock. */
  clockGapMs: number;
  /** Between two times at which the last use of keys is written. */
  keyUseGapMs: number;
  /** Between two looks for audit records that are not sealed yet. */
  sealGapMs: number;
}

/** As it is configured; what tests give comes first. */
export function timingOf({ config, timing }: Pick<Surroundings, 'config' | 'timing'>): Timing {
  return {
    operatorTimeoutMs: config.operatorTimeoutMs,
    expiryGraceMs: config.paymentExpiryGraceMs,
    ...askGaps,
    watchMs: config.paymentWatchMs,
    hintGapsMs: defaultHintGapsMs,
    deliveryTimeoutMs: 15_000,
    settlementLeaseMs: 30_000,
    clockGapMs: 60_000,
    keyUseGapMs: 60_000,
    sealGapMs: 10_000,
    ...timing,
  };
}
