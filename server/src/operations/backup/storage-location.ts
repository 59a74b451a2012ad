import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { BackupPlace, S3Access } from '../../platform/config/backup-variables.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { fileSink, openFile, partialOf } from './file.ts';
import { s3Place } from './s3.ts';

/** The destination of one backup. */
export interface Sink {
  /** Runs before the database is read. */
  prepare?(): Promise<void>;
  /**
   * Leaves no file that looks complete if it fails.
   * @returns the size in bytes
   */
  write(contents: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number>;
}

/** The source of a backup; a restore opens it twice. */
export interface Source {
  /** The name in errors. */
  name: string;
  /** The private age keys of an encrypted backup. */
  identities: readonly string[];
  open(): Promise<Readable>;
}

/** A place for backups with generated names. */
export interface Place {
  /** In the notation of BACKUP_TO. */
  address: string;
  sink(name: string): Sink;
  open(name: string): Promise<Readable>;
  /** @returns false if it does not exist; a bucket does not tell */
  remove(name: string): Promise<boolean>;
  /**
   * Whether none of these exists any more: then another disk may be mounted.
   * @throws StartError if the folder itself does not exist any more
   */
  lacksAll(names: readonly string[]): Promise<boolean>;
  /** Removes leftovers of an interrupted backup. */
  removePartial(name: string): Promise<void>;
}

export function openPlace(place: BackupPlace, s3: S3Access | undefined): Place {
  if (place.kind === 'folder') return folderPlace(place.path);
  if (s3) return s3Place(place, s3);
  throw new StartError(
    'BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY are required for s3:// addresses.',
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
          // The parent folder must exist: this detects a disk that was never mounted.
          await mkdir(path, { mode: 0o700 }).catch(ignoreExisting(path));
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
        if (error.code === 'ENOENT') throw missingFolderError(path);
        throw error;
      });
      return !names.some((name) => there.includes(name));
    },
    removePartial: (name) => rm(partialOf(join(path, name)), { force: true }),
  };
}

const missingFolderError = (path: string) =>
  new StartError(
    `The folder ${path} of BACKUP_TO does not exist any more, nor do the backups in it.`,
    'Is its disk mounted? If you removed the backups, create the folder again.',
  );

const ignoreExisting = (path: string) => (error: NodeJS.ErrnoException) => {
  if (error.code === 'EEXIST') return;
  throw new StartError(
    `The folder ${path} of BACKUP_TO cannot be created (${error.code}).`,
    'Create it, or its parent folder, and let this user write there.',
  );
};
