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

/** Where the server listens: on a socket that only its user and root reach, not on a network. */
export async function listenSettings(directory: DataDirectory): Promise<Record<string, string>> {
  if (process.platform === 'win32') {
    // Clients expect a server to return at the same address after a crash.
    const port = await freePort((await readPostmaster(directory))?.port ?? 0);
    return { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: `${port}` };
  }
  const sockets = await makeSocketDirectory(directory);
  return {
    listen_addresses: '',
    // The setting is a list: quotes protect a path with a comma or a space.
    unix_socket_directories: `"${sockets.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: `${socketPort}`,
  };
}

/** Only the owner and root can reach the socket through this directory: that protects the database. */
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

/** Whether the socket's directory replaces a data path that was too long. */
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
