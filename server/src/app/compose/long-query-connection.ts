import { openDatabase } from '../../platform/postgres/database.ts';
import type { Base } from './base.ts';

/** Of what reads all there is. */
const statementTimeoutMs = 600_000;

/** A connection of its own, for statements that take minutes; whoever opens it closes it. */
export const openPatientOf =
  ({ databaseUrl: url, log }: Pick<Base, 'databaseUrl' | 'log'>) =>
  () =>
    openDatabase({ url, log, maxConnections: 1, statementTimeoutMs });
