import { spawnSync } from 'node:child_process';
import { StartError } from '../../errors/start-error.ts';

/** The user of the operating system that PostgreSQL runs as: it refuses to run as root. */
export interface OsUser {
  name: string;
  uid: number;
  gid: number;
}

export const runsAsRoot = () => process.getuid?.() === 0;

/** @throws StartError if neither `postgres` nor `nobody` exists. */
export function findServerUser(): OsUser {
  for (const name of ['postgres', 'nobody']) {
    const uid = numericId('-u', name);
    const gid = numericId('-g', name);
    if (uid !== undefined && gid !== undefined) return { name, uid, gid };
  }
  throw new StartError(
    'PostgreSQL refuses to run as root, and this system has neither a user "postgres" nor "nobody" to run it as.',
    'Start Zimbo as an ordinary user, or set DATABASE_URL to a PostgreSQL 15 or later.',
  );
}

function numericId(flag: '-u' | '-g', name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
  return status === 0 ? Number.parseInt(stdout, 10) : undefined;
}

/** Asks the system instead of reading modes: access lists and mounts matter, too. */
export function canEnter(user: OsUser, directory: string): boolean {
  const { uid, gid } = user;
  return (
    spawnSync('/bin/sh', ['-c', 'test -x "$0"', directory], { uid, gid, cwd: '/' }).status === 0
  );
}

/** Whether any user's process with this id is running. */
export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
