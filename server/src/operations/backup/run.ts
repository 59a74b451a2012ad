import { randomBytes } from 'node:crypto';
import type { BackupSetting } from '../../platform/config/backup-variables.ts';
import { reasonOf } from '../../platform/errors/errors.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { queryableOf } from '../../platform/postgres/migrations.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { oneTimeKey } from './encryption.ts';
import type { OnProgress } from './format.ts';
import { isDue, scheduledPlace } from './schedule.ts';
import { withSession } from './session.ts';
import { openPlace, type Place } from './storage-location.ts';
import * as store from './store.ts';
import { verifyBackup, withTemporaryDatabase } from './verify.ts';
import { type Backup, writeBackup } from './write.ts';

export interface RunOptions {
  /** The URL of the database. */
  url: string;
  setting: BackupSetting;
  /** If undefined, a temporary database is used. */
  embeddedIn: string | undefined;
  programVersion: string;
  /** Only if the schedule demands it and nobody else is making one. */
  onlyIfDue?: boolean;
  /** Called before anything is written. */
  onBegin?: (file: string) => Promise<void>;
  onProgress?: (doing: 'writing' | 'trying', progress: Parameters<OnProgress>[0]) => void;
  signal?: AbortSignal;
}

export interface Run {
  /** `s3://…` or a path, with the file name. */
  file: string;
  backup: Backup;
  isVerified: boolean;
  /** Names of removed old backups. */
  removed: string[];
  /** Why old backups could not be removed. */
  removalError: string | undefined;
}

/**
 * Makes a backup in BACKUP_TO: writes it, reads it back, restores it into an empty database, and removes old ones.
 * The outcome is recorded in any case.
 * @returns undefined if none was due, or another process is making one
 */
export function runBackup(options: RunOptions): Promise<Run | undefined> {
  const place = placeOf(options.setting);
  return withLock(options, async (session) => {
    for (const { name, place: address } of await store.endInterrupted(
      session,
      await store.databaseMs(session),
    ))
      if (address === place.address) await place.removePartial(name);
    if (options.onlyIfDue && !(await isDueNow(session, options.setting))) return undefined;
    return new BackupRun(place, options).run();
  });
}

/** One session holds the lock; others read and write the database. */
function withLock<T>(
  { url, onlyIfDue }: RunOptions,
  work: (session: Queryable) => Promise<T>,
): Promise<T | undefined> {
  return withSession(url, async (client) => {
    const session = queryableOf(client);
    if (!(await store.hasBackups(session))) throw notMigratedError();
    if (!(await store.lockBackups(session))) {
      if (onlyIfDue) return undefined;
      throw inProgressError();
    }
    // Network devices cut connections that are silent for hours.
    const pings = setInterval(() => void client.query('SELECT 1').catch(() => {}), pingMs);
    try {
      return await work(session);
    } finally {
      clearInterval(pings);
    }
  });
}

const pingMs = 60_000;

/** @throws StartError BACKUP_TO or a setting that it requires is missing */
export function placeOf({ to, s3 }: BackupSetting): Place {
  if (!to) throw noDestinationError();
  return openPlace(to, s3);
}

async function isDueNow(session: Queryable, setting: BackupSetting) {
  const { schedule, timeZone } = setting;
  if (!schedule) return false;
  return isDue(
    { schedule, timeZone },
    await store.backupTimes(session, scheduledPlace(setting)),
    await store.databaseMs(session),
  );
}

class BackupRun {
  readonly #place: Place;
  readonly #options: RunOptions;
  #id = '';
  /** None of the listed files is there. */
  #isElsewhere = false;

  constructor(place: Place, options: RunOptions) {
    this.#place = place;
    this.#options = options;
  }

  async run(): Promise<Run> {
    const { setting, onBegin } = this.#options;
    const nowMs = await this.#inDatabase(store.databaseMs);
    const isEncrypted = setting.recipients.length > 0;
    const name = nameOf(nowMs, isEncrypted);
    const file = `${this.#place.address.replace(/\/$/, '')}/${name}`;
    this.#id = randomIds().next(nowMs);
    const begun = { id: this.#id, nowMs, place: this.#place.address, name, isEncrypted };
    await this.#inDatabase((database) => store.insertBackup(database, begun));
    await onBegin?.(file);
    const made = await this.#make(name);
    return { file, ...made, ...(await this.#removeOld(nowMs)) };
  }

  async #make(name: string): Promise<Pick<Run, 'backup' | 'isVerified'>> {
    let bytes: number | null = null;
    try {
      await this.#checkEarlierFiles();
      const key = await oneTimeKey();
      const backup = await this.#write(name, key.recipient);
      bytes = backup.fileBytes;
      const isVerified = await this.#verify(name, key.identity);
      await this.#end({ bytes, isVerified, error: null });
      return { backup, isVerified };
    } catch (error) {
      const isStopped = this.#options.signal?.aborted === true;
      const words = isStopped ? 'It was stopped.' : describeError(error);
      await this.#end({ bytes, isVerified: false, error: words.slice(0, 1_000) });
      if (bytes !== null) await this.#removeOtherFailures().catch(() => {});
      throw isStopped ? new StartError('The backup was stopped.') : error;
    }
  }

  /** An unmounted disk leaves an empty folder, or none. */
  async #checkEarlierFiles(): Promise<void> {
    const { address } = this.#place;
    const kept = await this.#inDatabase((database) => store.keptNames(database, address));
    this.#isElsewhere = kept.length > 0 && (await this.#place.lacksAll(kept));
  }

  #write(name: string, oneTimeRecipient: string): Promise<Backup> {
    const { url, setting, programVersion, onProgress, signal } = this.#options;
    const { recipients } = setting;
    return writeBackup({
      url,
      to: this.#place.sink(name),
      programVersion,
      recipients: recipients.length === 0 ? [] : [...recipients, oneTimeRecipient],
      ...(onProgress && { onProgress: (progress) => onProgress('writing', progress) }),
      ...(signal && { signal }),
    });
  }

  /** Tests the stored file, not the data that was sent. */
  async #verify(name: string, identity: string): Promise<boolean> {
    const { setting, embeddedIn, programVersion, onProgress, signal } = this.#options;
    if (!setting.isVerified) return false;
    const source = { name, identities: [identity], open: () => this.#place.open(name) };
    const verify = async (url: string) => {
      await verifyBackup(source, {
        url,
        programVersion,
        now: new Date(await this.#inDatabase(store.databaseMs)),
        onProgress: onProgress && ((progress) => onProgress('trying', progress)),
        ...(signal && { signal }),
      });
      return true;
    };
    if (setting.verifyDatabaseUrl !== undefined) return verify(setting.verifyDatabaseUrl);
    return embeddedIn === undefined ? false : withTemporaryDatabase(embeddedIn, verify);
  }

  #end(ended: Pick<store.BackupOutcome, 'bytes' | 'isVerified' | 'error'>): Promise<void> {
    return this.#inDatabase(async (database) => {
      const nowMs = await store.databaseMs(database);
      await store.endBackup(database, { id: this.#id, nowMs, ...ended });
    });
  }

  /** Uses its own session: the one with the lock may have been cut during the hours of a backup. */
  #inDatabase<T>(work: (database: Queryable) => Promise<T>): Promise<T> {
    return withSession(this.#options.url, (client) => work(queryableOf(client)));
  }

  /** A test that fails every hour would fill the disk: only the latest of its files is kept for inspection. */
  async #removeOtherFailures(): Promise<void> {
    const { address: place } = this.#place;
    const own = { place, id: this.#id };
    for (const each of await this.#inDatabase((database) => store.otherFailures(database, own)))
      await this.#remove(each);
  }

  /** @returns whether the file existed: a missing file may be on an unmounted disk, and stays listed */
  async #remove({ id, name }: Pick<store.BackupRow, 'id' | 'name'>): Promise<boolean> {
    if (!(await this.#place.remove(name))) return false;
    await this.#inDatabase(async (database) =>
      store.markRemoved(database, id, await store.databaseMs(database)),
    );
    return true;
  }

  /** Runs only after a good backup, so the last good one stays, however old. */
  async #removeOld(nowMs: number): Promise<Pick<Run, 'removed' | 'removalError'>> {
    const { keepMs, keepLast } = this.#options.setting;
    const removed: string[] = [];
    if (keepMs === undefined) return { removed, removalError: undefined };
    const { address } = this.#place;
    if (this.#isElsewhere) return { removed, removalError: unmountedWarning(address) };
    const old = { place: address, beforeMs: nowMs - keepMs, keepLast };
    try {
      for (const each of await this.#inDatabase((database) => store.removable(database, old))) {
        if (await this.#remove(each)) removed.push(each.name);
      }
      return { removed, removalError: undefined };
    } catch (error) {
      return { removed, removalError: reasonOf(error as Error) };
    }
  }
}

const unmountedWarning = (address: string) =>
  `None of the earlier backups is in ${address}. Is its disk mounted? If you move backups away, set BACKUP_KEEP_DAYS=off`;

const describeError = (error: unknown) =>
  error instanceof StartError ? error.message : reasonOf(error as Error);

/** Sorting by name sorts by time; two backups of one second differ. */
function nameOf(nowMs: number, isEncrypted: boolean): string {
  const at = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return `zimbo-${at}Z-${randomBytes(3).toString('hex')}.backup.gz${isEncrypted ? '.age' : ''}`;
}

const noDestinationError = () =>
  new StartError(
    'The backup has no destination: BACKUP_TO is not set, and no file is named.',
    'For example:  zimbo backup zimbo.backup.gz',
  );

const notMigratedError = () =>
  new StartError(
    'This database keeps no list of backups: it is older than this program, or a read-only copy.',
    'Name a file, which works with any:  zimbo backup FILE',
  );

const inProgressError = () =>
  new StartError(
    'Another backup is in progress.',
    '"zimbo backup list" shows it; wait until it has ended.',
  );
