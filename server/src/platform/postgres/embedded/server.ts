import { once } from 'node:events';
import { readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../errors/start-error.ts';
import type { DataDirectory } from './data-directory.ts';
import { isTemporary, listenSettings } from './listen-address.ts';
import { readPostmaster, runningPostmaster } from './postmaster.ts';
import { runProgram, spawnProgram } from './run-program.ts';
import { lastLines, openServerLog } from './server-log.ts';

const startLimitMs = 30_000;
const stopLimitMs = 30_000;
const pollMs = 10;

/** Sensible on a laptop: little memory, safe against power cuts, no checkpoint in the middle of a burst. */
const defaultSettings = {
  shared_buffers: '128MB',
  max_connections: '100',
  max_wal_size: '2GB',
  // Filling a new segment with zeros would hold up every commit for tens of milliseconds.
  wal_init_zero: 'off',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Failed statements are reported to whoever sent them; the log would repeat customers' data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  cluster_name: 'zimbo',
  // After a crash, one call instead of one per file: seconds less until the database is back.
  ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
};

/**
 * Starts the server and waits until it accepts connections. `occupied` means that another one, which
 * may be starting or stopping, holds the data.
 * @throws StartError with the last lines of its log.
 */
export async function startServer(
  directory: DataDirectory,
  binaries: string,
  { tuning, onWait }: { tuning: Record<string, string>; onWait?: (() => void) | undefined },
): Promise<'started' | 'occupied'> {
  await askForPasswords(directory);
  const settings = { ...defaultSettings, ...(await listenSettings(directory)), ...tuning };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  await using log = await openServerLog(directory);
  const { size } = await log.stat();
  const server = spawnProgram(
    join(binaries, 'bin', 'postgres'),
    ['-D', join(directory.location, 'data'), ...options],
    {
      user: directory.user,
      environment: await staleLock(directory),
      output: log.fd,
    },
  );
  // It may outlive us, for the sake of others.
  server.unref();
  onWait?.();
  const ended = once(server, 'exit').then(() => true);
  const deadlineMs = Date.now() + startLimitMs;
  while (!(await Promise.race([ended, sleep(pollMs)]))) {
    const postmaster = await readPostmaster(directory);
    if (postmaster?.processId === server.pid && postmaster?.ready) return 'started';
    if (Date.now() > deadlineMs) break;
  }
  const lines = await lastLines(log, size);
  if (heldByAnother.test(lines)) return 'occupied';
  throw new StartError(
    `PostgreSQL did not start. The last lines of ${join(directory.location, 'server.log')}:\n${lines}`,
  );
}

/** Data of earlier versions let in anyone who reaches the socket, as all programs of "nobody" can. */
async function askForPasswords({ location }: DataDirectory): Promise<void> {
  const path = join(location, 'data', 'pg_hba.conf');
  const text = await readFile(path, 'utf8');
  const asked = text.replace(/^(local\s.*\s)trust$/gm, '$1scram-sha-256');
  // In place, so that the file keeps its owner.
  if (asked !== text) await writeFile(path, asked);
}

const heldByAnother =
  /lock file "[^"]*" already exists|could not create lock file|pre-existing shared memory block/;

/**
 * A lock file that its server left behind may name a process that lives, and is something else. The
 * server takes the process that this variable names for none of its kind.
 */
async function staleLock(directory: DataDirectory): Promise<Record<string, string>> {
  const postmaster = await readPostmaster(directory);
  if (!postmaster || (await runningPostmaster(directory))) return {};
  return { PG_GRANDPARENT_PID: `${postmaster.processId}` };
}

/** Ends all sessions and stops the server in order, or at once if that takes too long. */
export async function stopServer(directory: DataDirectory, binaries: string): Promise<void> {
  const { processId, host } = (await runningPostmaster(directory)) ?? {};
  if (processId === undefined) return;
  for (const signal of ['INT', 'QUIT']) {
    // pg_ctl sends it with the rights of the server's user. Its own "stop" cannot tell this server from
    // one that another process starts as soon as this one is gone.
    await runProgram(join(binaries, 'bin', 'pg_ctl'), ['kill', signal, `${processId}`], {
      user: directory.user,
    });
    if (await ends(processId, directory)) break;
  }
  if (host && isTemporary(host, directory)) await rmdir(host).catch(() => {});
}

async function ends(processId: number, directory: DataDirectory): Promise<boolean> {
  const deadlineMs = Date.now() + stopLimitMs;
  while ((await runningPostmaster(directory))?.processId === processId) {
    if (Date.now() > deadlineMs) return false;
    await sleep(pollMs);
  }
  return true;
}
