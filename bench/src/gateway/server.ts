import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '../../../server/src/platform/postgres/embedded/embedded.ts';
import { cleanUp } from './cleanup.ts';

/** A PostgreSQL started by the bench, with an empty database. */
export interface BenchServer {
  dataDir: string;
  /** The database by socket, like an embedded one. */
  socketUrl: string;
  /** The database by TCP, like a user's; the server only listens there on request. */
  url: string;
  /** The postmaster. */
  postgresId: number;
  /** Stops the server, and removes its data unless the caller named a folder. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Settings of PostgreSQL. */
  tuning?: Record<string, string>;
  /** A folder for data that stays; by default a folder that is removed at the end. */
  dataDir?: string;
  byTcp?: boolean;
}

/** Starts the gateway's own binaries with the gateway's settings, and fsync on. */
export async function startServer(options: ServerOptions = {}): Promise<BenchServer> {
  const { dataDir = await newDataDir(), byTcp = false } = options;
  const port = byTcp ? String(await freePort()) : undefined;
  const tuning = { ...options.tuning, ...(port && { listen_addresses: '127.0.0.1', port }) };
  // The first to start the server decides its settings.
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

/** The data may be elsewhere, where PostgreSQL's user can reach it. */
export async function removeData(dataDir: string, location: string): Promise<void> {
  await rm(location, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

/** A free port of this machine. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
