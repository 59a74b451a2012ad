import { spawnSync } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.ts';
import { isAlive } from './os-user.ts';

/** What the server's lock file, `postmaster.pid`, says. */
export interface Postmaster {
  processId: number;
  /** The directory of its socket or a loopback address; undefined until it listens. */
  host: string | undefined;
  port: number;
  /** Whether it accepts connections. */
  ready: boolean;
}

/** The lock file; a server that was killed leaves it behind. */
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

/** The lock file of a server that runs. */
export async function runningPostmaster(directory: DataDirectory): Promise<Postmaster | undefined> {
  const postmaster = await readPostmaster(directory);
  return postmaster && (await isServer(postmaster.processId, directory)) ? postmaster : undefined;
}

/** After a crash the number may belong to a process that nobody has waited for, or to another program. */
async function isServer(processId: number, { location }: DataDirectory): Promise<boolean> {
  const data = join(location, 'data');
  if (process.platform === 'win32') return isAlive(processId);
  if (process.platform === 'linux')
    return (await readlink(`/proc/${processId}/cwd`).catch(() => undefined)) === data;
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'args=', '-p', `${processId}`]);
  return stdout.includes(`-D ${data} `);
}
