import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '../../../server/src/platform/postgres/embedded/embedded.ts';
import { cleanUp } from './cleanup.ts';

/** A PostgreSQL that the bench has started, with an empty database. */
export interface BenchServer {
  dataDir: string;
  /** The database by the socket, as an embedded one is reached. */
  socketUrl: string;
  /** The database by TCP, as users reach theirs; it listens there only if it was asked to. */
  url: string;
  /** The process above all of its others. */
  postgresId: number;
  /** Stops it, and removes its data if nobody named a place for them. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Settings of PostgreSQL. */
  tuning?: Record<string, string>;
  /** If the data lies and stays; without it, in a folder that is removed at the end. */
  dataDir?: string;
  byTcp?: boolean;
}

/** Starts the binaries that the gateway would start, with the same settings and fsync on. */
export async function startServer(options: ServerOptions = {}): Promise<BenchServer> {
  const { dataDir = await newDataDir(), byTcp = false } = options;
  const port = byTcp ? String(await freePort()) : undefined;
  const tuning = { ...options.tuning, ...(port && { listen_addresses: '127.0.0.1', port }) };
  // Whoever comes first starts the server, and so has the say on its settings.
  const storage = await openEmbeddedDatabase({ dataDir, role: 'command', tuning });
  const { url: socketUrl, location } = storage;
  const { username, password } = new URL(socketUrl);
  const stop = cleanUp(async () => {
    await storage.close();
    if (!options.dataDir) await removeData(dataDir, location);
  });
  return {
    dataDir,
    socketUrl,
    url: `postgres://${username}:${password}@127.0.0.1:${port}/zimbo?sslmode=disable`,
    postgresId: Number.parseInt(readFileSync(join(location, 'data', 'postmaster.pid'), 'utf8'), 10),
    stop,
  };
}

export const newDataDir = () => mkdtemp(join(tmpdir(), 'zimbo-bench-'));

/** What PostgreSQL keeps may lie elsewhere: where its user can reach it. */
export async function removeData(dataDir: string, location: string): Promise<void> {
  await rm(location, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

/** A port of this machine that nobody uses. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
