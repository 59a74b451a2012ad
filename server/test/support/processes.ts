import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/platform/postgres/database.ts';
import { testDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { testKey } from './gateway.ts';
import { runZimbo, type ZimboProcess } from './zimbo.ts';

export interface TestProcesses {
  zimbo: ZimboProcess;
  url: string;
  database: Database;
  databaseUrl: string;
  key: string;
  /** Waits until this many processes answer, and returns their pids. */
  pids: (count?: number) => Promise<number[]>;
}

const running = { text: 'SELECT pid FROM running_processes ORDER BY started_at' };
const secretKey = Buffer.alloc(32, 7).toString('base64');

/** The gateway as `zimbo start` runs it, in two processes, with its own database. */
export async function testProcesses(
  context: TestContext,
  environment: Record<string, string> = {},
): Promise<TestProcesses> {
  const { url: databaseUrl, database } = await testDatabase(context);
  const zimbo = runZimbo(context, ['start'], {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    ZIMBO_SECRET_KEY: secretKey,
    ZIMBO_PROCESSES: '2',
    DATABASE_CONNECTIONS: '6',
    ...environment,
  });
  const [, url] = await zimbo.says(/Gateway +(http:\S+)/);
  const pids = (count = 2) =>
    eventually(`${count} processes run`, async () => {
      const rows = await database.query<{ pid: number }>(running);
      const alive = rows.map(({ pid }) => pid).filter(isAlive);
      return alive.length === count && alive;
    });
  return { zimbo, url: url!, database, databaseUrl, key: await testKey(database), pids };
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A client that creates payments one after the other, over a kept connection or over new ones. */
export class Client {
  /** Requests without an answer. */
  readonly failures: string[] = [];
  readonly statuses: number[] = [];
  #agent: Agent;
  #target: { url: string; key: string };
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(target: { url: string; key: string }, { keepAlive }: { keepAlive: boolean }) {
    this.#target = target;
    this.#agent = new Agent({ keepAlive, maxSockets: 1 });
  }

  start(): void {
    const run = async () => {
      while (!this.#stopped) await this.create();
    };
    this.#running = run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    this.#agent.destroy();
  }

  async create(): Promise<void> {
    try {
      this.statuses.push(await this.#post());
    } catch (error) {
      this.failures.push((error as Error).message);
    }
  }

  #post(): Promise<number> {
    const { url, key } = this.#target;
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const options = { method: 'POST', agent: this.#agent, headers, timeout: 20_000 };
    return new Promise((resolve, reject) => {
      const sent = request(`${url}/v1/payments`, options, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode!));
        answer.on('error', reject);
      });
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
      sent.on('error', reject);
      sent.end('{"amount": 1000, "operator": "MOCK", "operatorPhone": "+2389912345"}');
    });
  }
}

/** A client that connects, waits, and then sends its request, like over a slow line. */
export async function askLate(url: string, waitMs: number): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    await delay(waitMs);
    socket.write('GET /healthz HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n');
    const answer = await text(socket.setTimeout(20_000, () => socket.end()));
    return answer.split('\r\n', 1)[0]!;
  } catch (error) {
    return (error as Error).message;
  } finally {
    socket.destroy();
  }
}
