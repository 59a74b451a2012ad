import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { Database } from '../postgres/database.ts';

/** What the routes of `/admin/v1` call. */
export interface AdminServices {
  database: Database;
  clock: Clock;
  ids: Ids;
}
