import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { FourEyes } from '../four-eyes.ts';
import type { Ids } from '../ids.ts';
import type { AdapterOf } from '../operators/load-adapters.ts';
import type { Database } from '../postgres/database.ts';
import type { Reconciliations } from '../reconciliations/use-cases.ts';

/** What the routes of `/admin/v1` call. */
export interface AdminServices {
  config: Config;
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  adapterOf: AdapterOf;
  /** A connection of its own, for statements that take minutes; whoever opens it closes it. */
  openPatient: () => Database;
  reconciliations: Reconciliations;
  /** What no program may do alone: a second person has to approve it. */
  fourEyes: FourEyes;
  /** Where payout files lie. */
  payoutFolder: string;
  /** What is due in all tenants, and for how long. */
  dueWork: () => Promise<{ kind: string; count: number; oldestSeconds: number }[]>;
}
