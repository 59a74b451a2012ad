import { join } from 'node:path';
import type { AdminApi } from '../../interfaces/admin/server.ts';
import type { AdminServices } from '../../interfaces/admin/services.ts';
import { findUnserved } from '../../operations/doctor/check-cell-service.ts';
import { makeRunAct } from '../../platform/idempotency/run-once.ts';
import { readBacklog } from '../../platform/jobs/backlog.ts';
import { monotonicClock } from '../../platform/process/clock.ts';
import type { Base } from './base.ts';
import type { System } from './system.ts';

/** The API for staff programs. */
export function composeAdmin(
  base: Base,
  system: System,
  {
    reconciliations,
    cancelDisbursement,
    cancelBatch,
  }: Pick<AdminServices, 'reconciliations' | 'cancelDisbursement' | 'cancelBatch'>,
): AdminApi {
  const { config, clock, database, home, ids, log, knownAdminKeys: known } = base;
  const { publicUrl, rateLimits, operations } = config;
  return {
    keys: { database: home, clock: monotonicClock, known },
    clock: monotonicClock,
    calendar: clock,
    onUse: ({ key: { id } }) => base.adminKeyUse.note({ id }),
    rateLimits,
    makeBuckets: base.makeBuckets,
    // The public address of the operations listener is unknown here.
    url: operations === undefined ? publicUrl : `http://${operations.host}:${operations.port}`,
    services: {
      config,
      database,
      home,
      cells: base.cells,
      findUnserved: unservedIn(base),
      staffFolder: base.staffFolder,
      runAct: makeRunAct(base),
      secrets: base.secrets,
      clock,
      ids,
      log,
      askOperator: base.askOperator,
      ...system,
      reconciliations,
      cancelDisbursement,
      cancelBatch,
      fourEyes: config.fourEyes,
      payoutFolder: join(config.dataDir, 'payouts'),
      dueWork: () => readBacklog(database, clock.nowMs()),
    },
  };
}

function unservedIn({ cell, home, database }: Base) {
  if (!cell) return undefined;
  return async () => (await findUnserved(home, { name: cell.name, database }))?.problem;
}
