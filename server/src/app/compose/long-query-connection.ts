import { openDatabase } from '../../platform/postgres/database.ts';
import type { Base } from './base.ts';

/** For queries that read everything. */
const statementTimeoutMs = 600_000;

/** A separate connection for statements that take minutes; the caller closes it. */
export const openPatientOf =
  ({ databaseUrl: url, log }: Pick<Base, 'databaseUrl' | 'log'>) =>
  () =>
    openDatabase({ url, log, maxConnections: 1, statementTimeoutMs });
