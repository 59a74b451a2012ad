import { spawnSync } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.ts';
import { isAlive } from './os-user.ts';

/** The content of the server's lock file, `postmaster.pid`. */
export interface Postmaster {
  processId: number;
  /** The directory of its socket or a loopback address; undefined until the server listens. */
  host: string | undefined;
  port: number;
  /** Whether the server accepts connections. */
  ready: boolean;
}

/** Reads the lock file; a killed server leaves it behind. */
export async function readPostmaster({ location }: DataDirectory): Promise<Postmaster | undefined> {
  const file = join(location, 'data', 'postmaster.pid');
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const processId = Number(lines[0]);
  if (!Number.isInteger(processId) || processId < 1) return undefined;
  const [port, socketDirectory, listenAddress] = lines.slice(3, 6);
  return {
    processId,
    host: socketDirectory || listenAddress || undefined,
    port: Number(port),
    ready: lines[7]?.trim() === 'ready',
  };
}

/** The lock file of a running server. */
export async function runningPostmaster(directory: DataDirectory): Promise<Postmaster | undefined> {
  const postmaster = await readPostmaster(directory);
  return postmaster && (await isServer(postmaster.processId, directory)) ? postmaster : undefined;
}

/** After a crash, the process id may belong to a zombie or to another program. */
async function isServer(processId: number, { location }: DataDirectory): Promise<boolean> {
  const data = join(location, 'data');
  if (process.platform === 'win32') return isAlive(processId);
  if (process.platform === 'linux')
    return (await readlink(`/proc/${processId}/cwd`).catch(() => undefined)) === data;
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'args=', '-p', `${processId}`]);
  return stdout.includes(`-D ${data} `);
}
