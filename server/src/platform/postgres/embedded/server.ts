import { once } from 'node:events';
import { readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../errors/start-error.ts';
import type { DataDirectory } from './data-directory.ts';
import { fullDisk, isFullDisk } from './full-disk.ts';
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
  // Filling a new segment with zeros would delay every commit by tens of milliseconds.
  wal_init_zero: 'off',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Clients receive the errors of their statements; the log would repeat customers' data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  cluster_name: 'zimbo',
  // After a crash, one call instead of one per file: recovery is seconds faster.
  ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
};

/**
 * Starts the server and waits until it accepts connections. `occupied` means that another server, which may be
 * starting or stopping, holds the data.
 * @throws StartError with the last lines of its log.
 */
export async function startServer(
  directory: DataDirectory,
  binaries: string,
  { tuning, onWait }: { tuning: Record<string, string>; onWait?: (() => void) | undefined },
): Promise<'started' | 'occupied'> {
  await requirePasswords(directory);
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
  // The server may outlive this process, because others may use it.
  server.unref();
  onWait?.();
  const ended = once(server, 'exit').then(() => true);
  const deadlineMs = performance.now() + startLimitMs;
  while (!(await Promise.race([ended, sleep(pollMs)]))) {
    const postmaster = await readPostmaster(directory);
    if (postmaster?.processId === server.pid && postmaster?.ready) return 'started';
    if (performance.now() > deadlineMs) break;
  }
  const lines = await lastLines(log, size);
  if (heldByAnother.test(lines)) return 'occupied';
  if (isFullDisk(lines)) throw fullDisk(directory.location);
  throw new StartError(
    `PostgreSQL did not start. The last lines of ${join(directory.location, 'server.log')}:\n${lines}`,
  );
}

/** Earlier versions let everybody who reaches the socket in, so all programs of "nobody" could connect. */
async function requirePasswords({ location }: DataDirectory): Promise<void> {
  const path = join(location, 'data', 'pg_hba.conf');
  const text = await readFile(path, 'utf8');
  const asked = text.replace(/^(local\s.*\s)trust$/gm, '$1scram-sha-256');
  // Written in place, so that the file keeps its owner.
  if (asked !== text) await writeFile(path, asked);
}

const heldByAnother =
  /lock file "[^"]*" already exists|could not create lock file|pre-existing shared memory block/;

/**
 * A stale lock file may name the process id of an unrelated program. This variable tells the server to ignore that
 * process.
 */
async function staleLock(directory: DataDirectory): Promise<Record<string, string>> {
  const postmaster = await readPostmaster(directory);
  if (!postmaster || (await runningPostmaster(directory))) return {};
  return { PG_GRANDPARENT_PID: `${postmaster.processId}` };
}

/** Ends all sessions and stops the server in order, or immediately if that takes too long. */
export async function stopServer(directory: DataDirectory, binaries: string): Promise<void> {
  const { processId, host } = (await runningPostmaster(directory)) ?? {};
  if (processId === undefined) return;
  for (const signal of ['INT', 'QUIT']) {
    // pg_ctl sends the signal with the rights of the server's user. Its own "stop" could hit a server that another
    // process has started as soon as this one is gone.
    await runProgram(join(binaries, 'bin', 'pg_ctl'), ['kill', signal, `${processId}`], {
      user: directory.user,
    });
    if (await ends(processId, directory)) break;
  }
  if (host && isTemporary(host, directory)) await rmdir(host).catch(() => {});
}

async function ends(processId: number, directory: DataDirectory): Promise<boolean> {
  const deadlineMs = performance.now() + stopLimitMs;
  while ((await runningPostmaster(directory))?.processId === processId) {
    if (performance.now() > deadlineMs) return false;
    await sleep(pollMs);
  }
  return true;
}
