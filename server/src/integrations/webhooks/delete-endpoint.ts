import type { Mask } from '../../platform/audit/mask.ts';
import type { Author } from '../../platform/audit/record.ts';
import { notFound } from '../../platform/errors/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { deleteEndpoint } from './endpoint-store.ts';
import { recordChange } from './record-change.ts';

/**
 * Deletes a webhook endpoint; its pending deliveries are dropped.
 * @throws NOT_FOUND
 */
export type DeleteEndpoint = (
  endpoint: { tenantId: string; id: string },
  author: Author,
) => Promise<void>;

export function makeDeleteEndpoint(dependencies: {
  database: Database;
  clock: Clock;
  ids: Ids;
  mask: Mask;
  endpointChanged: (id: string) => void;
}): DeleteEndpoint {
  const { database, clock, endpointChanged } = dependencies;
  return async ({ tenantId, id }, author) => {
    const record = recordChange(dependencies, author);
    if (!(await deleteEndpoint(database, tenantId, id, clock.nowMs(), record))) {
      throw notFound('webhook endpoint');
    }
    endpointChanged(id);
  };
}
