import type { Logger } from 'pino';
import type { Administration } from '../../platform/audit/record.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/postgres/database.ts';

/** With what somebody decides what waits for a person: whoever it is, the audit log names them. */
export interface Resolver extends Administration {
  config: Config;
  database: Database;
  log: Logger;
  actor: string;
}
