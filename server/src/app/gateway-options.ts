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

/** The gateway's dependencies beyond its configuration. */
export interface GatewayOptions {
  config: Config;
  adapterOf: AdapterOf;
  databaseUrl: string;
  secretKey: Buffer;
  /** Decrypts older data while secretKey is being replaced. */
  previousSecretKey?: Buffer | undefined;
  log: Logger;
  tracing?: Tracing | undefined;
  /** Shorter for tests that would otherwise wait. */
  timing?: Partial<Timing>;
  /** The machine's clock; tests may pass a wrong one. */
  wallClock?: Clock | undefined;
  /** The resources shared with other processes of the machine. */
  machine?: Machine | undefined;
  /** The id of this process in all cells; by default a new one. */
  processId?: string | undefined;
  /** Set for a further cell; undefined in the home, which most installations have alone. */
  cell?: { name: string; home: Database } | undefined;
  /** The staff's view of the cells, if there are several. */
  cells?: StaffCells | undefined;
  /** Sees requests first, because they may be for another cell. */
  front?: Front | undefined;
  /** Whether all preparations for readiness are done. */
  isStarted?: (() => boolean) | undefined;
}

/** Whether this process does the work of this cell, besides answering its requests. */
export const worksHere = ({
  config,
  cells,
}: Pick<GatewayOptions, 'config'> & { cells?: { own: string } | undefined }): boolean =>
  config.role !== 'api' && (config.cells?.includes(cells?.own ?? homeName) ?? true);

/** Limits and intervals, all in milliseconds. */
export interface Timing extends PaymentTiming {
  /** One attempt to deliver a webhook; the lease of a delivery is three times as long. */
  deliveryTimeoutMs: number;
  settlementLeaseMs: number;
  /** The intervals between the queries after a callback. */
  hintBackoffMs: readonly number[];
  /** The interval between measurements of the clock. */
  clockIntervalMs: number;
  /** The interval between writes of the last use of keys. */
  keyUseIntervalMs: number;
  /** The interval between writes of the API request log. */
  requestLogIntervalMs: number;
  /** The interval between polls for unsealed audit records. */
  sealIntervalMs: number;
  /** The interval between folds of the totals. */
  foldIntervalMs: number;
  /** The interval between writes of operator measurements. */
  measureIntervalMs: number;
  /** How long a notice waits for others in the same mail. */
  mailDelayMs: number;
  /** The interval between syncs of the cells' copies. */
  copyIntervalMs: number;
  /** The interval between checks of observed and ended conditions for notices. */
  noticeLookMs: number;
  /** The interval between judgements of operators. */
  statusLookMs: number;
}

/** The configured timing; tests may override it. */
export function timingOf({ config, timing }: Pick<GatewayOptions, 'config' | 'timing'>): Timing {
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
    statusLookMs: 15_000,
    ...timing,
  };
}
