import { invalidState } from '../../platform/errors/errors.ts';
import type { Mode } from './api-key.ts';

/**
 * A live key moves real money, so it requires a database with its own backups, unless the settings waive this.
 * @throws INVALID_STATE
 */
export function refuseLiveOnEmbedded(
  settings: { databaseUrl?: string | undefined; allowLiveEmbedded: boolean },
  mode: Mode,
): void {
  if (mode === 'test' || settings.databaseUrl || settings.allowLiveEmbedded) return;
  throw invalidState(
    'A live key moves real money, and the embedded database is meant for trying Zimbo out: it has no replica and no automatic backups. Set DATABASE_URL to a PostgreSQL server, or ZIMBO_ALLOW_LIVE_EMBEDDED=true.',
  );
}
