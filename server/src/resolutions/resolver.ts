import type { Logger } from 'pino';
import type { Administration } from '../audit/record.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../postgres/database.ts';

/** With what somebody decides what waits for a person: whoever it is, the audit log names them. */
export interface Resolver extends Administration {
  config: Config;
  database: Database;
  log: Logger;
  actor: string;
}
