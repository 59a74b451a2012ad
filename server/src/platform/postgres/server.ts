import { hash } from 'node:crypto';
import { chown, lstat, mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import type { DataDirectory } from './data-directory.ts';
import { runProgram } from './run-program.ts';
import { lastLines, openServerLog } from './server-log.ts';

/** Where the server listens: a directory (of a socket) or a loopback address. */
export interface ServerAddress {
  host: string;
  port: number;
}

const startLimitSeconds = 30;
const stopLimitSeconds = 30;
const socketPort = 5432;
/** macOS allows 103 bytes, Linux 107. */
const longestSocketPath = 103;

/** Sensible on a laptop: little memory, safe against power cuts, no checkpoint in the middle of a burst. */
const defaultSettings = {
  shared_buffers: '128MB',
  max_connections: '100',
  max_wal_size: '2GB',
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
};

/**
 * Starts the server and waits until it accepts connections. `occupied` means that another one, which
 * may be starting or stopping, holds the data.
 * @throws StartError with the last lines of its log.
 */
export async function startServer(
  directory: DataDirectory,
  binaries: string,
  tuning: Record<string, string>,
): Promise<'started' | 'occupied'> {
  const settings = { ...defaultSettings, ...(await listening(directory)), ...tuning };
  await using log = await openServerLog(directory);
  const { size } = await log.stat();
  const options = Object.entries(settings).map(
    ([name, value]) => `-c ${quote(`${name}=${value}`)}`,
  );
  const { exitCode } = await runProgram(
    join(binaries, 'bin', 'pg_ctl'),
    ['start', '--silent', '--wait', '-t', `${startLimitSeconds}`, '-o', options.join(' ')],
    { user: directory.user, environment: dataVariable(directory), outputFile: log.fd },
  );
  if (exitCode === 0) return 'started';
  const lines = await lastLines(log, size);
  if (heldByAnother.test(lines)) return 'occupied';
  throw new StartError(
    `PostgreSQL did not start. The last lines of ${join(directory.location, 'server.log')}:\n${lines}`,
  );
}

const heldByAnother =
  /lock file "[^"]*" already exists|could not create lock file|pre-existing shared memory block/;

/** Ends all sessions and stops the server in order, or at once where that takes too long. */
export async function stopServer(directory: DataDirectory, binaries: string): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    await runProgram(
      join(binaries, 'bin', 'pg_ctl'),
      ['stop', '--silent', '--wait', '-t', `${stopLimitSeconds}`, '-m', mode],
      { user: directory.user, environment: dataVariable(directory) },
    );
    if (!(await serverAddress(directory))) return;
  }
}

/** What `postmaster.pid` says: a server that died leaves it behind. */
export async function serverAddress(directory: DataDirectory): Promise<ServerAddress | undefined> {
  const file = join(directory.location, 'data', 'postmaster.pid');
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const [port, socketDirectory, listenAddress] = lines.slice(3, 6);
  const host = socketDirectory || listenAddress;
  return host ? { host, port: Number(port) } : undefined;
}

/** By the environment, since pg_ctl hands its arguments to a shell. */
const dataVariable = ({ location }: DataDirectory) => ({ PGDATA: join(location, 'data') });

function quote(text: string): string {
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", `'\\''`)}'`;
}

async function listening(directory: DataDirectory): Promise<Record<string, string>> {
  if (process.platform === 'win32') {
    const port = await freePort();
    return { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: `${port}` };
  }
  const sockets = await makeSocketDirectory(directory);
  return {
    listen_addresses: '',
    // The setting is a list: quotes keep a path with a comma or a space in one piece.
    unix_socket_directories: `"${sockets.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: `${socketPort}`,
  };
}

/** Only its owner (and root) gets through to the socket: that is what protects the database. */
async function makeSocketDirectory({ location, user }: DataDirectory): Promise<string> {
  const short = `zimbo-${hash('sha256', location).slice(0, 16)}`;
  const candidates = [join(location, 'run'), join(tmpdir(), short), join('/tmp', short)];
  const directory = candidates.find(
    (path) => Buffer.byteLength(join(path, `.s.PGSQL.${socketPort}`)) <= longestSocketPath,
  )!;
  await mkdir(directory, { mode: 0o700 }).catch(() => {});
  const found = await lstat(directory);
  const owner = user?.uid ?? process.getuid?.();
  if (found.isDirectory() && (found.mode & 0o077) === 0) {
    if (found.uid === owner) return directory;
    if (user && found.uid === 0) {
      await chown(directory, user.uid, user.gid);
      return directory;
    }
  }
  throw new StartError(
    `The directory ${directory}, meant for PostgreSQL's socket, belongs to somebody else.`,
    'Remove it, or set DATA_DIR to a directory with a shorter path.',
  );
}

async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer().once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}
