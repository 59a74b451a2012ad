import type { Logger } from 'pino';
import type { Administration } from '../../platform/audit/record.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/postgres/database.ts';

/** The dependencies of a person's decision, whose author the audit log names. */
export interface Resolver extends Administration {
  config: Config;
  database: Database;
  log: Logger;
  actor: string;
}
