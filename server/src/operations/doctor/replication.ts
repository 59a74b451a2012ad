import type { Logger } from 'pino';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { hostCount } from '../../platform/postgres/hosts.ts';
import { type Finding, ok, warning } from './check.ts';

/** How the primary confirms commits. */
export interface ReplicationState {
  /** Live keys are in use. */
  isLive: boolean;
  /** `synchronous_standby_names`. */
  names: string;
  /** `synchronous_commit`. */
  commit: string;
  /** How many standbys stream from it now. */
  standbys: number;
}

const stateStatement = {
  text: `SELECT EXISTS (
      SELECT FROM api_keys k JOIN tenants t ON t.id = k.tenant_id AND t.mode = 'live' WHERE k.revoked_at IS NULL
    ) AS "isLive",
    current_setting('synchronous_standby_names') AS names, current_setting('synchronous_commit') AS commit`,
};

/** A separate query: beside a cell's tables, Citus would read the catalogs of another node. */
const standbysStatement = {
  text: 'SELECT count(*)::integer AS standbys FROM pg_stat_replication',
};

const lossWarning = 'a fail-over would lose commits of the last seconds';

/** Warns of a possible loss at a fail-over, or of stopped writes. @param hosts how many DATABASE_URL names */
export function judgeReplication(state: ReplicationState, hosts: number): Finding {
  const { isLive, names, commit, standbys } = state;
  if (hosts === 1 && standbys === 0 && names === '') return ok('there is none');
  const isSynchronous = names !== '' && !['off', 'local'].includes(commit);
  const figure = isSynchronous
    ? `synchronous (${names}), ${standbys} connected`
    : `asynchronous: ${lossWarning}`;
  if (!isLive) return ok(figure);
  if (!isSynchronous) {
    const set =
      names === ''
        ? 'synchronous_standby_names (Patroni: synchronous_mode)'
        : 'synchronous_commit = on';
    return warning(figure, `Live keys are in use. Set ${set}: docs/decisions/0032-fail-over.md.`);
  }
  if (standbys > 1) return ok(figure);
  return warning(
    figure,
    'Live keys are in use. With a single synchronous standby, writes stop when it does: add a second one.',
  );
}

export async function replicationFinding(database: Queryable, hosts: number): Promise<Finding> {
  const [state] = await database.query<Omit<ReplicationState, 'standbys'>>(stateStatement);
  const [connected] = await database.query<{ standbys: number }>(standbysStatement);
  return judgeReplication({ ...state!, ...connected! }, hosts);
}

/** Logs the finding at the start, if there are several hosts. */
export async function warnOfReplication(
  database: Database,
  { databaseUrl, log }: { databaseUrl: string; log: Logger },
): Promise<void> {
  const hosts = hostCount(databaseUrl);
  if (hosts === 1) return;
  const finding = await replicationFinding(database, hosts);
  if (finding.status === 'ok') return;
  log.warn({ advice: finding.advice }, `replication is ${finding.figure}`);
}
