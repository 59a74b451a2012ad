import type { Config } from '../../platform/config/config.ts';
import { formatAge } from '../../platform/formats/display-format.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { GuardedAct } from '../../platform/values/four-eyes.ts';
import type { OpenedCell } from '../../tenants/cells/duplicates.ts';
import { isOneOfSeveral } from '../../tenants/cells/this-cell.ts';
import { scheduledPlace } from '../backup/schedule.ts';
import { backupTimes } from '../backup/store.ts';
import { backupsOfNodes, longestAgeMs } from './backup-check.ts';
import { type Check, type Finding, failure, ok, warning } from './check.ts';
import { replicationFinding } from './replication.ts';

export interface LiveData {
  database: Database;
  clock: Clock;
  config: Pick<Config, 'mail' | 'noticeWebhook' | 'fourEyes' | 'backup'>;
  /** The cells besides the home; one of them may hold all live data. */
  further?: readonly OpenedCell[];
}

const mostNamed = 3;
/** Permissions to redirect money, or to confirm payouts. */
const twoPersonActs: readonly GuardedAct[] = ['bank-accounts', 'settlements'];

/** The data that must exist before live money moves, in the order of docs/going-live.md. */
export function liveDataChecks(dependencies: LiveData): Check[] {
  const [standby, ...rest] = furtherLiveDataChecks(dependencies);
  return [
    standby!,
    { name: 'Staff', run: () => staffFinding(dependencies) },
    { name: 'Alerts', run: () => alertsFinding(dependencies) },
    { name: 'Live keys', run: () => keysFinding(dependencies) },
    ...rest,
  ];
}

/** The checks of each cell; the home answers the others for all cells. */
export function furtherLiveDataChecks(dependencies: Omit<LiveData, 'further'>): Check[] {
  const { database } = dependencies;
  return [
    { name: 'Standby', run: () => standbyFinding(database) },
    { name: 'Bank accounts', run: () => accountsFinding(database) },
    { name: 'Webhooks', run: () => webhooksFinding(database) },
    { name: 'Last backup', run: () => backupFinding(dependencies) },
  ];
}

async function standbyFinding(database: Database): Promise<Finding> {
  const finding = await replicationFinding(database, 1);
  const { standbys } = await one<{ standbys: number }>(
    database,
    'SELECT count(*)::integer AS standbys FROM pg_stat_replication',
  );
  if (standbys > 0) return finding;
  return warning(
    'none: losing this disk loses all data since the last backup',
    'Add a synchronous one: docs/decisions/0032-fail-over.md, deploy/patroni/README.md',
  );
}

const countStaff = (database: Database) =>
  one<{ staff: number; admins: number }>(
    database,
    `SELECT count(*)::integer AS staff, count(*) FILTER (WHERE s.role = 'ADMIN')::integer AS admins
     FROM staff s JOIN people p ON p.id = s.person_id AND p.disabled_at IS NULL`,
  );

async function staffFinding({ database, config }: LiveData): Promise<Finding> {
  const { staff, admins } = await countStaff(database);
  if (admins === 0) {
    return failure(
      'no administrator has accepted an invitation',
      'Invite one:  zimbo people invite ADDRESS --staff admin --mail',
    );
  }
  const lacking = twoPersonActs.filter((act) => !config.fourEyes.has(act));
  const acts = [...config.fourEyes, ...lacking];
  if (staff > 1 && lacking.length === 0) return ok(`${staff}; ${acts.join(', ')} need two`);
  const [figure, invite] =
    staff > 1
      ? [`${staff}; one alone decides ${lacking.join(' and ')}`, 'Set']
      : ['one person does everything alone', 'Invite a second person, and set'];
  return warning(figure, `${invite} FOUR_EYES=${acts.join(',')}: docs/approvals.md`);
}

async function alertsFinding({ database, config }: LiveData): Promise<Finding> {
  const { staff } = await countStaff(database);
  const ways = [
    config.mail && staff > 0 && `mail to the staff (${staff})`,
    config.noticeWebhook && 'a webhook',
  ].filter(Boolean);
  if (ways.length > 0) return ok(`by ${ways.join(' and ')}`);
  const advice = 'Set SMTP_URL and MAIL_FROM, or NOTICE_WEBHOOK_URL: docs/notices.md';
  return failure('nobody would be notified of problems', advice);
}

const countKeys = (database: Database) =>
  one<{ keys: number }>(
    database,
    `SELECT count(*)::integer AS keys FROM api_keys k
     JOIN tenants t ON t.id = k.tenant_id AND t.mode = 'live' WHERE k.revoked_at IS NULL`,
  );

async function keysFinding({ database, further = [] }: LiveData): Promise<Finding> {
  const cells = [database, ...further.map((cell) => cell.database)];
  const counts = await Promise.all(cells.map(countKeys));
  const keys = counts.reduce((sum, count) => sum + count.keys, 0);
  if (keys > 0) return ok(`${keys}`);
  return failure('there is none', 'Create one:  zimbo keys create --merchant ID --mode live');
}

/** Merchants with a live key, and whether a condition holds for each. */
const namesLacking = (database: Database, condition: string) =>
  database.query<{ name: string }>({
    text: `SELECT m.name FROM merchants m JOIN tenants t ON t.merchant_id = m.id AND t.mode = 'live'
      WHERE EXISTS (SELECT FROM api_keys k WHERE k.tenant_id = t.id AND k.revoked_at IS NULL) AND NOT ${condition}
      ORDER BY m.id`,
  });

function joinNames(rows: readonly { name: string }[]): string {
  const named = rows.slice(0, mostNamed).map(({ name }) => name);
  return `${named.join(', ')}${rows.length > mostNamed ? ` and ${rows.length - mostNamed} more` : ''}`;
}

async function accountsFinding(database: Database): Promise<Finding> {
  const lacking = await namesLacking(
    database,
    'EXISTS (SELECT FROM bank_accounts b WHERE b.merchant_id = m.id AND b.valid_until IS NULL)',
  );
  if (lacking.length === 0) return ok('no merchant with a live key lacks one');
  return failure(
    `${joinNames(lacking)}: none, so they cannot be paid out`,
    'Enter it in the console, on the page of the merchant: docs/staff.md#bank-accounts',
  );
}

async function webhooksFinding(database: Database): Promise<Finding> {
  const lacking = await namesLacking(
    database,
    `EXISTS (SELECT FROM webhook_endpoints e
       WHERE e.tenant_id = t.id AND e.status = 'ACTIVE' AND e.deleted_at IS NULL)`,
  );
  if (lacking.length === 0) return ok('no merchant with a live key lacks one');
  return warning(
    `${joinNames(lacking)}: none`,
    'A shop needs one, a till does not:  zimbo webhooks create --url URL --events payment.debited',
  );
}

async function backupFinding({ database, clock, config }: LiveData): Promise<Finding> {
  if (await isOneOfSeveral(database)) return backupsOfNodes;
  const place = scheduledPlace(config.backup);
  const { goodAtMs, isEncrypted, isVerified } = await backupTimes(database, place);
  const advice =
    'Set BACKUP_TO and BACKUP_SCHEDULE (docs/backup.md), or make a backup now:  zimbo backup';
  if (goodAtMs === null) return failure('there is none', advice);
  const ageMs = clock.nowMs() - goodAtMs;
  const figure = `${formatAge(ageMs)} ago`;
  if (ageMs > longestAgeMs) return failure(figure, advice);
  const lacking = [
    ...(isEncrypted ? [] : ['not encrypted']),
    ...(isVerified ? [] : ['never tried']),
  ];
  return lacking.length === 0
    ? ok(figure)
    : warning(
        `${figure}, ${lacking.join(' and ')}`,
        'Set BACKUP_RECIPIENTS and BACKUP_VERIFY_DATABASE_URL (docs/backup.md), then:  zimbo backup',
      );
}

async function one<Row>(database: Database, text: string): Promise<Row> {
  const [row] = await database.query<Row>({ text });
  return row!;
}
