import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';

const program = join(import.meta.dirname, '..', 'torture', 'gateway-process.ts');

const times = {
  PAYMENT_EXPIRY_SECONDS: '12',
  PAYMENT_EXPIRY_GRACE_SECONDS: '1',
  OPERATOR_TIMEOUT_SECONDS: '1',
  DATABASE_CONNECTIONS: '8',
  RATE_LIMIT: 'off',
};

/** A gateway in its own process, which can be killed and comes back at the same address. */
export class KilledGateway {
  readonly url: string;
  /** Unexpected ends, in words. */
  readonly deaths: string[] = [];
  #environment: Record<string, string>;
  #child: ChildProcess | undefined;

  private constructor(port: number, environment: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#environment = { ...times, ...environment, PORT: String(port), PUBLIC_URL: this.url };
  }

  static async open(environment: Record<string, string>): Promise<KilledGateway> {
    return new KilledGateway(await freePort(), environment);
  }

  /** Resolves once it listens. */
  async start(): Promise<void> {
    const child = fork(program, {
      env: { LOG_LEVEL: 'fatal', ...process.env, ...this.#environment },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: true,
    });
    this.#child = child;
    let printed = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-4_000);
    });
    child.on('exit', (code, signal) => {
      if (this.#child === child)
        this.deaths.push(`a gateway ended (${code ?? signal}): ${printed}`);
    });
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error(`the gateway does not start: ${printed}`);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }
}
