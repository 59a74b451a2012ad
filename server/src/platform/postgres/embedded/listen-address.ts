import { hash } from 'node:crypto';
import { chown, lstat, mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../../errors/start-error.ts';
import type { DataDirectory } from './data-directory.ts';
import { readPostmaster } from './postmaster.ts';

const socketPort = 5432;
/** macOS allows 103 bytes, Linux 107. */
const longestSocketPath = 103;

/** The server's settings for where it listens: a socket that only its user and root reach, no network. */
export async function listenSettings(directory: DataDirectory): Promise<Record<string, string>> {
  if (process.platform === 'win32') {
    // A server that comes back after a crash is expected where it was.
    const port = await freePort((await readPostmaster(directory))?.port ?? 0);
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

/** Only its owner (and root) gets through it to the socket: that is what protects the database. */
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
    `The directory ${directory}, meant for PostgreSQL's socket, belongs to another user.`,
    'Remove it, or set DATA_DIR to a directory with a shorter path.',
  );
}

/** Whether the socket's directory is one that the data's path was too long for. */
export function isTemporary(host: string, { location }: DataDirectory): boolean {
  return host.startsWith('/') && host !== join(location, 'run');
}

async function freePort(preferred: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const server = createServer().once('error', () => resolve(undefined));
  server.listen(preferred, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
  });
  return (await promise) ?? freePort(0);
}
