import { RequestRecorder } from '../../integrations/api-requests/recorder.ts';
import { createCallbackTokens } from '../../integrations/operators/callback-token.ts';
import { makeCheckOperator } from '../../integrations/operators/check.ts';
import { MeasurementRecorder } from '../../integrations/operators/measurements/recorder.ts';
import type { OperatorName } from '../../integrations/operators/operator.ts';
import { makeAskOperator } from '../../integrations/operators/probe.ts';
import type { Payment } from '../../money/payments/payment.ts';
import { makeRequestReview } from '../../money/review/request-review.ts';
import { warnOfReplication } from '../../operations/doctor/replication.ts';
import { ProcessHistory } from '../../operations/notifications/process-metrics.ts';
import { createMask } from '../../platform/audit/mask.ts';
import type { OperatorConfigs } from '../../platform/config/operator-settings.ts';
import { createRoom } from '../../platform/http/memory-limit.ts';
import { storedRequestHashes } from '../../platform/idempotency/idempotency.ts';
import type { RenderingChange } from '../../platform/idempotency/rendering-change.ts';
import { watchedIdleMs } from '../../platform/jobs/due-watch.ts';
import { ByteBudget } from '../../platform/memory/byte-budget.ts';
import type { GaugeGroup } from '../../platform/observability/gauges.ts';
import { createMetrics } from '../../platform/observability/metrics.ts';
import { type Database, openDatabase } from '../../platform/postgres/database.ts';
import { pageBytes } from '../../platform/postgres/page-bytes.ts';
import { monotonicClock, systemClock } from '../../platform/process/clock.ts';
import { createDigestKey, type DigestKeyDependencies } from '../../platform/secrets/digest-key.ts';
import { createSecretBox } from '../../platform/secrets/secret-box.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { createAttemptProofs } from '../../storefront/checkout/attempt-proofs.ts';
import { createLinkSecrets } from '../../storefront/checkout/link-secrets.ts';
import { StatusStreams } from '../../storefront/checkout/page/streams.ts';
import { createReceiptLinks } from '../../storefront/checkout/receipt-link.ts';
import { staffFolderOf } from '../../tenants/cells/staff-cells.ts';
import { KeyUse, type KeyUseDependencies } from '../../tenants/merchants/key-use.ts';
import { KnownKeys } from '../../tenants/merchants/recent-keys.ts';
import { noteUse } from '../../tenants/merchants/store.ts';
import { adminHashesUsedSince, noteAdminUse } from '../../tenants/people/admin-key-store.ts';
import { databaseGauges } from '../database-gauges.ts';
import { type GatewayOptions, timingOf, worksHere } from '../gateway-options.ts';
import { memoryGauges } from '../memory-gauges.ts';
import { noteDatabase } from '../own-ports.ts';
import { createTimekeeping } from '../process-heartbeat.ts';
import { aloneOn } from '../shared-resources.ts';
import { createTraced } from '../tracing-decorators.ts';

export type Base = ReturnType<typeof composeBase>;

/** The shared dependencies: the database, its clock, metrics, secrets and streams. */
export function composeBase(options: GatewayOptions) {
  const { config, adapterOf, databaseUrl, log, tracing, ...rest } = options;
  const { machine = aloneOn(config), wallClock = systemClock } = rest;
  const maxConnections = config.databaseConnections;
  const onConnection = (change: 'made' | 'lost') => timekeeping.connection(change);
  noteDatabase(databaseUrl);
  const database = openDatabase({ url: databaseUrl, log, maxConnections, onConnection });
  const timing = timingOf({ config, ...rest });
  const secret = composeSecrets(rest, { database, log, publicUrl: config.publicUrl });
  const { keys } = secret;
  const place = placeAmongCells(options);
  const own = { ...options, ...place, wallClock };
  const timed = { ...own, database, keys, intervalMs: timing.clockIntervalMs };
  const timekeeping = createTimekeeping({ ...timed, figures: () => history.figures() });
  const { clock, processId } = timekeeping;
  const figures = databaseGauges({ ...config, ...place, database, nowMs: () => clock.nowMs() });
  const memory = composeMemory();
  const gauges = [...figures, timekeeping.gauges, memoryGaugesOf(memory)];
  const { metrics, history } = composeMetrics(database, gauges);
  const streams = new StatusStreams({ database, log, pages: machine.openPages });
  const onTransition = (payment: Payment) => {
    metrics.payments.inc({ status: payment.status, operator: payment.operator });
    streams.changed(payment);
  };
  // Changes when a proxy in front of the gateway is detected.
  const allowPrivate = { ...config.webhookAllowPrivate };
  const observers = { log, metrics, onTransition, tracing, traced: createTraced(tracing) };
  const checkOperator = makeCheckOperator(config.operators);
  // The simulator, and operators that are not configured, have no limit.
  const maxCallsOf = (queue: string) => config.operators[queue as keyof OperatorConfigs]?.maxCalls;
  const operators = { adapterOf, checkOperator, maxCallsOf };
  const reviewing = { database, clock, log };
  const requestReview = makeRequestReview({
    ...reviewing,
    onReview: (kind, { operator }) => metrics.reviews.inc({ kind, operator }),
  });
  const keyUses = composeKeyUse({ database, home: homeOf(rest, database), clock, log, ...timing });
  const ids = randomIds();
  const requestRecorder = new RequestRecorder({ database, clock, ids, log, ...timing });
  const recording = { database, clock, monotonicClock, log, processId, ...timing };
  const asking = { operators: config.operators, adapterOf, clock: systemClock, monotonicClock };
  return {
    idleIntervalMs: watchedIdleMs,
    ...machine,
    requestReview,
    ...keyUses,
    requestRecorder,
    measurements: new MeasurementRecorder(recording),
    askOperator: makeAskOperator(asking),
    knownKeys: new KnownKeys(),
    knownAdminKeys: new KnownKeys({ usedSince: adminHashesUsedSince }),
    onNotReceived: (of: { operator: OperatorName }) => metrics.notReceived.inc(of),
    config,
    databaseUrl,
    clock,
    wallClock,
    timekeeping,
    ids,
    database,
    home: homeOf(rest, database),
    ...place,
    timing,
    allowPrivate,
    streams,
    ...secret,
    ...memory,
    ...operators,
    ...observers,
  };
}

/** The database with people, staff and their keys. */
const homeOf = ({ cell }: Pick<GatewayOptions, 'cell'>, database: Database) =>
  cell?.home ?? database;

/** With several cells, the name of this one. */
const placeAmongCells = ({ config, cell, cells, front }: GatewayOptions) => ({
  /** The role of this process for this cell. */
  role: worksHere({ config, cells }) ? config.role : ('api' as const),
  cell,
  cells,
  front,
  staffFolder: staffFolderOf(cell?.name),
});

/** Before requests are taken. */
export async function prepareBase(
  base: Base,
  renderingChanges: readonly RenderingChange[],
): Promise<void> {
  // First, because it may be retried, while the rest may start only once.
  await base.requestHashes.load();
  await base.timekeeping.start();
  const now = { calendarMs: base.clock.nowMs(), ms: monotonicClock.nowMs() };
  await base.knownKeys.load(base.database, now);
  await loadAdminKeys(base, now);
  await warnOfReplication(base.database, base);
  for (const change of renderingChanges) await change.load(base.home);
  base.keyUse.start();
  base.adminKeyUse.start();
  base.requestRecorder.start();
}

/**
 * The keys are in the home, which a further cell does not need in order to serve: without them,
 * some keys count as guesses.
 */
async function loadAdminKeys(
  { knownAdminKeys, home, cell, log }: Base,
  now: { calendarMs: number; ms: number },
): Promise<void> {
  await knownAdminKeys.load(home, now).catch((err: unknown) => {
    if (!cell) throw err;
    log.warn({ err }, 'the recently used admin keys could not be loaded yet');
  });
}

/** After all workers have stopped: writes the recorded uses, and closes the database. */
export async function stopBase(base: Base): Promise<void> {
  await base.keyUse.stop();
  await base.adminKeyUse.stop();
  await base.requestRecorder.stop();
  await base.measurements.stop();
  await base.timekeeping.stop();
  await base.database.close();
}

/** Everything signed, encrypted or digested under the secret key. */
function composeSecrets(
  { secretKey, cell, ...rest }: Pick<GatewayOptions, 'secretKey' | 'previousSecretKey' | 'cell'>,
  dependencies: Omit<DigestKeyDependencies, 'secrets' | 'home'> & { publicUrl: string },
) {
  const keys = { current: secretKey, previous: rest.previousSecretKey };
  const secrets = createSecretBox(secretKey, rest.previousSecretKey);
  const digestKey = createDigestKey({ ...dependencies, secrets, home: cell?.home });
  return {
    keys,
    secrets,
    digestKey,
    tokens: createCallbackTokens(secretKey, rest.previousSecretKey),
    attemptProofs: createAttemptProofs(secretKey),
    linkSecrets: createLinkSecrets(secretKey, rest.previousSecretKey),
    receiptLinks: createReceiptLinks({ ...dependencies, digestKey }),
    paymentLinks: createReceiptLinks(
      { ...dependencies, digestKey },
      { purpose: 'zimbo payment links', folder: 'pay/link' },
    ),
    requestHashes: storedRequestHashes({ digestKey, keys }),
    mask: createMask(secretKey),
  };
}

/** The last use of keys: of merchants, and of `/admin/v1`. */
function composeKeyUse({
  home,
  ...dependencies
}: Omit<KeyUseDependencies<never>, 'write'> & { home: Database }) {
  const ofHome = { ...dependencies, database: home };
  return {
    keyUse: new KeyUse<{ tenantId: string; id: string }>({ ...dependencies, write: noteUse }),
    adminKeyUse: new KeyUse<{ id: string }>({ ...ofHome, write: noteAdminUse }),
  };
}

/** The counters, and their recent increments. */
function composeMetrics(database: Database, gauges: GaugeGroup[]) {
  const connections = () => database.connections();
  const metrics = createMetrics({ gauges, connections });
  const waiting = () => connections().waiting;
  return { metrics, history: new ProcessHistory(metrics, waiting, () => monotonicClock.nowMs()) };
}

/** The memory budgets of large requests, deliveries, and waiting payments and refunds. */
function composeMemory() {
  const limits = { perTenant: pageBytes, test: 1.5 * pageBytes, overall: 3 * pageBytes };
  const [deliveryMemory, paymentMemory] = [new ByteBudget(limits), new ByteBudget(limits)];
  return { room: createRoom(), deliveryMemory, paymentMemory };
}

const memoryGaugesOf = ({ room, ...rest }: ReturnType<typeof composeMemory>) =>
  memoryGauges({
    requests: room.budget,
    deliveries: rest.deliveryMemory,
    payments: rest.paymentMemory,
  });
