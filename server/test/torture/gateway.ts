import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Line } from '../support/line.ts';
import type { Role } from './plan.ts';

const program = join(import.meta.dirname, 'gateway-process.ts');

export interface GatewayOptions {
  databaseUrl: string;
  /** The folder for payouts. */
  dataDir: string;
  secretKey: string;
  /** A gateway ended that nobody had killed. */
  onDeath: (words: string) => void;
}

/** A gateway in its own process, behind its own line to PostgreSQL. */
export class TorturedGateway {
  role: Role = 'all';
  /** Its address while it listens; undefined while it starts. */
  url: string | undefined;
  readonly line: Line;
  #options: GatewayOptions;
  #child: ChildProcess | undefined;
  #thaw: NodeJS.Timeout | undefined;

  private constructor(options: GatewayOptions, line: Line) {
    this.#options = options;
    this.line = line;
  }

  static async open(options: GatewayOptions): Promise<TorturedGateway> {
    return new TorturedGateway(options, await Line.open(options.databaseUrl));
  }

  get isFrozen(): boolean {
    return this.#thaw !== undefined;
  }

  /** Starts; ready once it has a url. */
  start(role: Role): void {
    const { dataDir, secretKey, onDeath } = this.#options;
    this.role = role;
    const child = fork(program, {
      env: {
        ...process.env,
        ...environment,
        ...disbursing,
        DATABASE_URL: this.line.url,
        DATA_DIR: dataDir,
        ZIMBO_ROLE: role,
        ZIMBO_SECRET_KEY: secretKey,
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // So that Ctrl-C reaches the torture, not the gateways.
      detached: true,
    });
    this.#child = child;
    let printed = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-4_000);
    });
    child.on('message', (url) => {
      if (this.#child === child) this.url = url as string;
    });
    child.on('exit', (code, signal) => {
      if (this.#child === child)
        onDeath(`a gateway ended on its own (${code ?? signal}):\n${printed}`);
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    this.url = undefined;
    clearTimeout(this.#thaw);
    this.#thaw = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    signalAll(child, 'SIGKILL');
    await exit;
  }

  freeze(forMs: number): void {
    const child = this.#child;
    if (!child || this.isFrozen) return;
    signalAll(child, 'SIGSTOP');
    this.#thaw = setTimeout(() => {
      this.#thaw = undefined;
      signalAll(child, 'SIGCONT');
    }, forMs);
  }

  async close(): Promise<void> {
    await this.kill();
    this.line.close();
  }
}

/** It leads its own process group, which includes its workers, if any (ZIMBO_PROCESSES). */
function signalAll({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  process.kill(-pid!, signal);
}

/** The settings of a gateway that comes to rest soon. */
export const environment = {
  PORT: '0',
  // The same for every process: it is part of answers that must match to the byte.
  PUBLIC_URL: 'http://127.0.0.1:1',
  SIMULATOR_DELAY_MS: '60',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  PAYMENT_EXPIRY_SECONDS: '12',
  PAYMENT_EXPIRY_GRACE_SECONDS: '1',
  OPERATOR_TIMEOUT_SECONDS: '1',
  // Ends while the torture waits. On a busy machine, half a minute of faults left a reversal without a second try.
  PAYMENT_WATCH_HOURS: '0.02',
  DATABASE_CONNECTIONS: '8',
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'fatal',
};

/** Older versions, which an upgrade begins with, know none of these. */
const disbursing = { DISBURSEMENTS: 'on', DISBURSEMENT_FEE_MOCK: '50+100' };
