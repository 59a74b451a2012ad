import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { BackupPlace, S3Access } from '../../platform/config/backup-variables.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { fileSink, openFile, partialOf } from './file.ts';
import { s3Place } from './s3.ts';

/** Where one backup goes. */
export interface Sink {
  /** Before the database is read. */
  prepare?(): Promise<void>;
  /**
   * Leaves nothing behind that looks whole if it fails.
   * @returns how many bytes it took
   */
  write(contents: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number>;
}

/** Where one comes from; it is opened twice for a restore. */
export interface Source {
  /** For errors. */
  name: string;
  /** Private keys of age, for one that is encrypted. */
  identities: readonly string[];
  open(): Promise<Readable>;
}

/** Where backups are kept under names of ours. */
export interface Place {
  /** As it is written in BACKUP_TO. */
  address: string;
  sink(name: string): Sink;
  open(name: string): Promise<Readable>;
  /** @returns false if there is none; a bucket does not tell */
  remove(name: string): Promise<boolean>;
  /**
   * Whether none of these is there any more: then it may be another disk.
   * @throws StartError if the folder itself is gone
   */
  lacksAll(names: readonly string[]): Promise<boolean>;
  /** What an interrupted backup may have left. */
  removePartial(name: string): Promise<void>;
}

export function openPlace(place: BackupPlace, s3: S3Access | undefined): Place {
  if (place.kind === 'folder') return folderPlace(place.path);
  if (s3) return s3Place(place, s3);
  throw new StartError(
    'BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY are needed for s3:// addresses.',
    'docs/backup.md has an example.',
  );
}

function folderPlace(path: string): Place {
  return {
    address: path,
    sink(name) {
      const file = fileSink(join(path, name));
      return {
        ...file,
        async prepare() {
          // The folder above has to be there: a disk that was never mounted is noticed so.
          await mkdir(path, { mode: 0o700 }).catch(unlessThere(path));
          await file.prepare?.();
        },
      };
    },
    open: (name) => openFile(join(path, name)),
    remove: (name) =>
      rm(join(path, name)).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return false;
          throw error;
        },
      ),
    async lacksAll(names) {
      const there = await readdir(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw gone(path);
        throw error;
      });
      return !names.some((name) => there.includes(name));
    },
    removePartial: (name) => rm(partialOf(join(path, name)), { force: true }),
  };
}

const gone = (path: string) =>
  new StartError(
    `The folder ${path} of BACKUP_TO is gone, with the backups that were made there.`,
    'Is its disk mounted? If they were removed, make the folder again.',
  );

const unlessThere = (path: string) => (error: NodeJS.ErrnoException) => {
  if (error.code === 'EEXIST') return;
  throw new StartError(
    `The folder ${path} of BACKUP_TO cannot be made (${error.code}).`,
    'Make it, or the folder above it, and let this user write there.',
  );
};
