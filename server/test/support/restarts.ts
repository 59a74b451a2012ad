import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/platform/postgres/database.ts';
import { cleanUp } from './cleanup.ts';
import { testDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { testKey } from './gateway.ts';
import { zimbo } from './process.ts';

/** Two starts on a busy machine, plus the longest wait of a stopping process for its requests. */
const rollLimitMs = 180_000;

/** A gateway in its own process on a fixed port, restarted while requests continue. */
export class RestartedGateway {
  readonly url: string;
  readonly key: string;
  readonly database: Database;
  readonly #environment: Record<string, string>;
  #child: ChildProcess | undefined;

  private constructor(environment: Record<string, string>, key: string, database: Database) {
    this.#environment = environment;
    this.url = `http://127.0.0.1:${environment.PORT}`;
    this.key = key;
    this.database = database;
  }

  static async start(
    context: Pick<TestContext, 'after'>,
    given: Record<string, string> = {},
  ): Promise<RestartedGateway> {
    const { url, database } = await testDatabase(context);
    const environment = {
      DATABASE_URL: url,
      ZIMBO_SECRET_KEY: '01'.repeat(32),
      PORT: String(await freePort()),
      TRUST_PROXY: '127.0.0.1',
      RATE_LIMIT: 'off',
      PAGE_STREAMS: '100',
      LOG_LEVEL: 'warn',
      ...given,
    };
    const gateway = new RestartedGateway(environment, await testKey(database), database);
    cleanUp(context, () => gateway.#end('SIGKILL'));
    await gateway.#run();
    return gateway;
  }

  async #run(): Promise<void> {
    // Drop this process's own settings.
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, ...this.#environment };
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const child = spawn(process.execPath, [zimbo, 'start'], { env, stdio: [...stdio] });
    this.#child = child;
    // After its banner, it handles signals.
    const told = once(child.stdout!, 'data');
    await eventually('the gateway is ready', () => this.#isReady(), 60_000);
    await told;
  }

  async #isReady(): Promise<boolean> {
    if (this.#child!.exitCode !== null) throw new Error('the gateway ended');
    return fetch(`${this.url}/readyz`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  /** Restarts like a service manager: the old process ends, then the new one starts. */
  async restart(): Promise<void> {
    await this.#end('SIGTERM');
    await this.#run();
  }

  /** Ends at once, as by kill -9. @param meanwhile runs before the next start */
  async crash(meanwhile: () => Promise<unknown>): Promise<void> {
    await this.#end('SIGKILL');
    await meanwhile();
    await this.#run();
  }

  /** With ZIMBO_PROCESSES: waits until each of its processes has been replaced. */
  async roll(): Promise<void> {
    const before = this.#workers();
    this.#child!.kill('SIGHUP');
    await eventually(
      'all processes are replaced',
      () => !this.#workers().some((id) => before.includes(id)),
      rollLimitMs,
    );
  }

  #workers(): string[] {
    const { pid } = this.#child!;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  }
}

const intervalMs = 25;
const answerLimitMs = 30_000;

/** Creates a payment every 25 ms through a proxy and keeps pages open, until stopped. */
export class SteadyLoad {
  /** Every answer other than 200, in words. */
  readonly failures: string[] = [];
  answered = 0;
  readonly #origin: string;
  readonly #key: string;
  readonly #agent: Agent;
  readonly #waiting = new Set<Promise<void>>();
  #isStopped = false;

  constructor(origin: string, key: string) {
    this.#origin = origin;
    this.#key = key;
    const isSecure = origin.startsWith('https:');
    this.#agent = isSecure
      ? new SecureAgent({ keepAlive: true, rejectUnauthorized: false })
      : new Agent({ keepAlive: true });
  }

  /** Ends with the test at the latest. @param pages paths of live pages; each is reopened when it ends, and must not fail */
  start(context: Pick<TestContext, 'after'>, pages: readonly string[] = []): void {
    cleanUp(context, () => this.stop());
    for (const page of pages) void this.#watch(page);
    void this.#create();
  }

  async #create(): Promise<void> {
    while (!this.#isStopped) {
      const one = this.#payment().finally(() => this.#waiting.delete(one));
      this.#waiting.add(one);
      await delay(intervalMs);
    }
  }

  async #payment(): Promise<void> {
    const body = JSON.stringify({ amount: 100, operator: 'MOCK', operatorPhone: '+2389912345' });
    const headers = {
      authorization: `Bearer ${this.#key}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
      'idempotency-key': randomUUID(),
    };
    const said = await this.#send('/v1/payments', { method: 'POST', headers }, body);
    if (said === '200') this.answered++;
    else this.failures.push(said);
  }

  async #watch(path: string): Promise<void> {
    while (!this.#isStopped) {
      const said = await this.#send(path, { method: 'GET', headers: {} });
      // 503: too many pages, so this one polls.
      if (!/^(200|503)/.test(said)) this.failures.push(said);
      await delay(5);
    }
  }

  #send(path: string, options: object, body?: string): Promise<string> {
    const send = this.#origin.startsWith('https:') ? httpsRequest : httpRequest;
    return new Promise((resolve) => {
      const request = send(`${this.#origin}${path}`, { ...options, agent: this.#agent });
      request.setTimeout(answerLimitMs, () => request.destroy(new Error('no answer')));
      request.on('error', (error) => resolve(error.message));
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('close', () => {
          const { statusCode } = response;
          resolve(statusCode === 200 ? '200' : `${statusCode} ${text.slice(0, 200)}`);
        });
      });
      request.end(body);
    });
  }

  /** Waits for the requests in flight. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#waiting);
    this.#agent.destroy();
  }
}

/** Paths of open payment pages with live updates. */
export async function openPages(origin: string, key: string, count: number): Promise<string[]> {
  const paths: string[] = [];
  for (let number = 0; number < count; number++) {
    const answer = await fetch(`${origin}/v1/checkout/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 100_000 }),
    });
    const { url } = (await answer.json()) as { url: string };
    paths.push(new URL(url).pathname.replace('/pay/', '/pay/live/'));
  }
  return paths;
}
