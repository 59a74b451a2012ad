import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '../../src/platform/postgres/embedded/embedded.ts';
import { migrate } from '../../src/platform/postgres/migrations.ts';
import { parentOfData } from '../support/data-folder.ts';

/** Nothing of the database needs to outlive the run. */
const tuning = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  track_activities: 'off',
  track_counts: 'off',
};

export interface OwnPostgres {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a PostgreSQL for one simulation. The place of rows on disk decides which of two rows due at once comes first,
 * and PostgreSQL reuses the place of a dead row only once no transaction can see that row: transactions of others, even
 * in other databases, would delay that, and no seed would repeat.
 */
export async function openOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = mkdtempSync(join(parentOfData(), 'zimbo-simulation-'));
  const postgres = await openEmbeddedDatabase({ dataDir, role: 'command', tuning });
  const close = async () => {
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await migrate(postgres.url, { now: new Date() });
    return { url: postgres.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
