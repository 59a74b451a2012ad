import type { Logger } from 'pino';
import type { AdapterOf } from '../integrations/operators/load-adapters.ts';
import { queryBackoff } from '../integrations/operators/query-schedule.ts';
import { defaultHintBackoffMs } from '../money/callbacks/handle.ts';
import type { PaymentTiming } from '../money/payments/decide.ts';
import type { Config } from '../platform/config/config.ts';
import type { Front } from '../platform/http/middleware.ts';
import type { Tracing } from '../platform/observability/tracing.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { Clock } from '../platform/process/clock.ts';
import { homeName } from '../tenants/cells/cell.ts';
import type { StaffCells } from '../tenants/cells/staff-cells.ts';
import type { Machine } from './shared-resources.ts';

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
  /** What it has together with the other processes of its machine, if there are any. */
  machine?: Machine | undefined;
  /** By which all cells know this process; one of its own otherwise. */
  processId?: string | undefined;
  /** Of a further cell; undefined in the home, which most installations have alone. */
  cell?: { name: string; home: Database } | undefined;
  /** What staff see of the cells, where there are several. */
  cells?: StaffCells | undefined;
  /** Of several cells, in the home alone: whether it is ready, given what is wrong with the home itself. */
  readiness?: ((ofHome: Promise<string | undefined>) => Promise<Readiness>) | undefined;
  /** Takes requests before the gateway does: they may be for another cell. */
  front?: Front | undefined;
  /** Whether all is done that must be done before others are told that it is ready. */
  isStarted?: (() => boolean) | undefined;
}

/** Whether this process does the work of this cell, beside answering its requests. */
export const worksHere = ({
  config,
  cells,
}: Pick<Surroundings, 'config'> & { cells?: { own: string } | undefined }): boolean =>
  config.role !== 'api' && (config.cells?.includes(cells?.own ?? homeName) ?? true);

/** Whether requests can be served. */
export interface Readiness {
  /** Why none can. */
  fault?: string | undefined;
  /** Cells that cannot be written to, with the reason; undefined where there is one cell, or none of several. */
  away?: Record<string, string> | undefined;
}

/** How long what may take. All in milliseconds. */
export interface Timing extends PaymentTiming {
  /** One attempt to deliver a webhook; the lease of a delivery is three times as long. */
  deliveryTimeoutMs: number;
  settlementLeaseMs: number;
  /** The intervals between the queries that a callback leads to. */
  hintBackoffMs: readonly number[];
  /** Between two measurements of the clock. */
  clockIntervalMs: number;
  /** Between two times at which the last use of keys is written. */
  keyUseIntervalMs: number;
  /** Between two times at which the log of API requests is written. */
  requestLogIntervalMs: number;
  /** Between two looks for audit records that are not sealed yet. */
  sealIntervalMs: number;
  /** Between two times at which totals are folded. */
  foldIntervalMs: number;
  /** Between two times at which measurements of operators are written. */
  measureIntervalMs: number;
  /** How long a notice waits for others that go into the same mail. */
  mailDelayMs: number;
  /** Between two looks at what cells need copies of. */
  copyIntervalMs: number;
  /** Between two looks at what notices tell of: whether it is so, and whether it is over. */
  noticeLookMs: number;
}

/** As it is configured; what tests give comes first. */
export function timingOf({ config, timing }: Pick<Surroundings, 'config' | 'timing'>): Timing {
  return {
    operatorTimeoutMs: config.operatorTimeoutMs,
    expiryGraceMs: config.paymentExpiryGraceMs,
    ...queryBackoff,
    watchMs: config.paymentWatchMs,
    hintBackoffMs: defaultHintBackoffMs,
    deliveryTimeoutMs: 15_000,
    settlementLeaseMs: 30_000,
    clockIntervalMs: 60_000,
    keyUseIntervalMs: 60_000,
    requestLogIntervalMs: 1_000,
    sealIntervalMs: 10_000,
    // Readers take deltas into account, so there is no hurry: the longer the gap, the fewer totals are written.
    foldIntervalMs: 10_000,
    measureIntervalMs: 5_000,
    copyIntervalMs: 1_000,
    mailDelayMs: 60_000,
    noticeLookMs: 15_000,
    ...timing,
  };
}
