import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { lacks } from '../support/pages.ts';

export interface InstalledServer {
  major: number;
  /** Needs pg_rewind and pg_basebackup, which Zimbo does not bring. */
  binaries: string;
}

const oldest = 15;

/** The newest PostgreSQL from Debian's packages that Patroni supports. */
export const installedServer: InstalledServer | undefined = globSync(
  '/usr/lib/postgresql/*/bin/pg_rewind',
)
  .map((path) => ({ major: Number(basename(dirname(dirname(path)))), binaries: dirname(path) }))
  .filter(({ major }) => major >= oldest)
  .toSorted((one, other) => other.major - one.major)[0];

/** Why Patroni cannot run here, or false. */
export const skipWithoutPatroni: string | false =
  lacks('patroni', 'etcd', 'openssl', 'psql') ||
  (installedServer === undefined && `no PostgreSQL ${oldest} or later is installed`);
