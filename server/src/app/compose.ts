import type { Annex } from '../platform/http/lazy-app.ts';
import type { HttpScope } from '../platform/http/server.ts';
import {
  labelledWithCell,
  type MetricJson,
  ownMetrics,
} from '../platform/observability/aggregate-metrics.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { Clock } from '../platform/process/clock.ts';
import { composeApprovals } from './compose/approvals.ts';
import { composeAudit } from './compose/audit.ts';
import { composeBackups } from './compose/backups.ts';
import { type Base, composeBase, prepareBase, stopBase } from './compose/base.ts';
import { composeCallbacks } from './compose/callbacks.ts';
import { composeCheckout } from './compose/checkout.ts';
import { composeDeliveries } from './compose/deliveries.ts';
import { composeDisbursements } from './compose/disbursements.ts';
import { composeWatch } from './compose/due-watch.ts';
import { composeHttp } from './compose/http.ts';
import { composeNotices } from './compose/notices.ts';
import { composeOperatorStatuses } from './compose/operator-statuses.ts';
import { composeWork, type Work } from './compose/payments.ts';
import { composePeople } from './compose/people.ts';
import { composePrivacy } from './compose/privacy.ts';
import { composeReconciliations } from './compose/reconciliations.ts';
import { composeRefunds } from './compose/refunds.ts';
import { composeRetention } from './compose/retention.ts';
import { composeSettlements } from './compose/settlements.ts';
import { composeSystem } from './compose/system.ts';
import { composeTotals } from './compose/totals.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { operatorsOfProcess } from './operator-status.ts';

export interface Gateway {
  http: HttpScope;
  /** The separate listener for operations, if configured. */
  operations: HttpScope | undefined;
  /** The console's handler, beside `http`. */
  console: Annex | undefined;
  database: Database;
  /** The clock of the database; usable once the gateway is prepared. */
  clock: Clock;
  /** Runs before listening: opens the digest key, measures the clock, compares settings, loads recently used keys. */
  prepare(): Promise<void>;
  startWorkers(): void;
  /** Metrics of this process alone. */
  metrics: () => Promise<MetricJson[]>;
  /** Including the metrics read from the database. */
  allMetrics: () => Promise<MetricJson[]>;
  /** Finishes work in progress, then closes the database. @param users other users of the database, to wait for */
  stop(users?: Promise<unknown>): Promise<void>;
}

/** Constructs and wires all parts. */
export function compose(options: GatewayOptions): Gateway {
  const base = composeBase(options);
  const deliveries = composeDeliveries(base);
  const work = composeWork(base, deliveries.worker, (notification) =>
    outgoing.disbursementProcessor.notify(notification),
  );
  const outgoing = composeOutgoing(base, deliveries.worker, work);
  const callbacks = composeCallbacks(base, work, outgoing);
  const settlements = composeSettlements(base, deliveries.worker);
  const approving = composeApprovals(base, outgoing);
  const reconciling = composeReconciliations(base, work, outgoing);
  const checkout = composeCheckout(base, deliveries.worker, work);
  const notices = composeNotices(base, deliveries.sender);
  const { people, peopleSweeps } = composePeople(base);
  const moving = { ...outgoing, ...callbacks, ...settlements, ...approving, ...reconciling };
  const system = composeSystem(base);
  const all = { ...work, ...moving, ...checkout, system, isStarted: options.isStarted };
  const visitors = { people, mailer: notices.mailer };
  const doors = composeHttp(base, deliveries.worker, all, visitors);
  const { http, operations, console } = doors;
  const privacy = composePrivacy(base);
  // In the order of the flow of work, so that the last deliveries are still accepted at the end.
  const workers = [
    callbacks.callbackWorker,
    work.payments,
    work.simulator,
    work.reversals,
    approving.approvals,
    outgoing.refundWorker,
    outgoing.disbursementWorker,
    outgoing.returnsEntry,
    checkout.checkoutWorker,
    settlements.daily,
    settlements.worker,
    ...Object.values(reconciling.reconciliationWorkers),
    ...composeRetention(base),
    privacy.personalDataRetention,
    privacy.privacyWorker,
    ...peopleSweeps,
    ...upkeepOf(base),
    ...composeOperatorStatuses(base, deliveries.worker),
    ...notices.noticeWorkers,
    deliveries.worker,
    composeWatch(base, deliveries.worker, { ...work, ...moving, ...checkout }),
  ];
  return {
    ...doors,
    database: base.database,
    clock: base.clock,
    ...figuresOf(base),
    prepare: () => prepare(base, { ...work, ...moving }),
    startWorkers: () => {
      for (const worker of workers) worker.start();
    },
    async stop(users) {
      await http.close();
      await operations?.close();
      await console?.close();
      for (const one of [system.doctor, system.auditVerifier, ...workers]) await one.stop();
      await deliveries.sender.close();
      await work.live.close();
      await users;
      await stopBase(base);
      await options.tracing?.stop();
    },
  };
}

/** Money on its way to wallets: refunds and disbursements. */
const composeOutgoing = (
  base: Base,
  dispatcher: ReturnType<typeof composeDeliveries>['worker'],
  work: Work,
) => ({
  ...composeRefunds(base, dispatcher, work),
  ...composeDisbursements(base, dispatcher, work),
});

type Prepared = Work &
  ReturnType<typeof composeOutgoing> &
  Pick<ReturnType<typeof composeSettlements>, 'settlementRendering'>;

/** Before requests are taken. */
async function prepare(base: Base, work: Prepared): Promise<void> {
  await prepareBase(base, [work.refundRendering, work.settlementRendering]);
  const lines = [work.payments, work.reversals, work.refundWorker, work.disbursementWorker];
  const operatorsHere = { ...base.config, role: base.role, pauses: work.live.pauses, lines };
  base.measurements.start(() => operatorsOfProcess(operatorsHere));
}

/** With several cells, the metrics name their cell. */
const figuresOf = ({ metrics, cells }: Base) => ({
  metrics: async () => labelledWithCell(await ownMetrics(metrics), cells?.own),
  allMetrics: async () => labelledWithCell(await metrics.registry.getMetricsAsJSON(), cells?.own),
});

const upkeepOf = (base: Base) => [composeAudit(base), composeTotals(base), composeBackups(base)];
