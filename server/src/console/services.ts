import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { Database } from '../postgres/database.ts';

/** What pages call: the use cases beneath, the same as those of the API. */
export interface ConsoleServices {
  database: Database;
  clock: Clock;
  ids: Ids;
}
