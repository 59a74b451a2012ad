import type { AdminApi } from '../../admin/server.ts';
import { monotonicClock } from '../../clock.ts';
import type { Base } from './base.ts';

/** What staff can do, for programs. */
export function composeAdmin(base: Base): AdminApi {
  const { config, clock, database, ids, knownAdminKeys: known } = base;
  const { publicUrl, rateLimits, operations } = config;
  return {
    keys: { database, clock: monotonicClock, known },
    clock: monotonicClock,
    calendar: clock,
    onUse: ({ key: { id } }) => base.adminKeyUse.note({ id }),
    rateLimits,
    // Where the listener of operations is reached is not known here.
    url: operations === undefined ? publicUrl : `http://${operations.host}:${operations.port}`,
    services: { database, clock, ids },
  };
}
