import type { Logger } from 'pino';
import type { Payment } from '../../../money/payments/payment.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { findVersions } from '../store.ts';
import { type OpenPage, type PageCounter, sessionKey } from './open-pages.ts';

/** An open page that follows the changes of its session. */
export interface Listener extends OpenPage {
  /** Takes text for the stream. */
  write(text: string): void;
  end(): void;
}

interface StreamDependencies {
  database: Database;
  log: Logger;
  pages: PageCounter;
}

/** How late a page may learn of changes by other processes. */
const pollIntervalMs = 2_000;
/** Less than the idle time-out of proxies and of our own server. */
const heartbeatIntervalMs = 20_000;

/**
 * Tells open pages the version of their session. Changes by this process are sent at once; for changes by others, one
 * query about all open pages runs every two seconds.
 */
export class StatusStreams {
  #dependencies: StreamDependencies;
  #versions = new Map<Listener, string>();
  #bySession = new Map<string, Set<Listener>>();
  #dirty = new Set<string>();
  #looking: Promise<void> | undefined;
  #timers: NodeJS.Timeout[] = [];
  #stopped = false;

  constructor(dependencies: StreamDependencies) {
    this.#dependencies = dependencies;
  }

  get size(): number {
    return this.#versions.size;
  }

  /** Starts with the present version. False if there are too many streams already. */
  async open(listener: Listener): Promise<boolean> {
    const { pages } = this.#dependencies;
    if (this.#stopped || !(await pages.enter(listener))) return false;
    if (this.#stopped) {
      pages.leave(listener);
      return false;
    }
    const key = sessionKey(listener);
    const ofSession = this.#bySession.get(key) ?? new Set();
    this.#bySession.set(key, ofSession.add(listener));
    this.#versions.set(listener, '');
    if (this.#timers.length === 0) this.#startTimers();
    this.#look([key]);
    return true;
  }

  close(listener: Listener): void {
    if (!this.#versions.delete(listener)) return;
    this.#dependencies.pages.leave(listener);
    const key = sessionKey(listener);
    const ofSession = this.#bySession.get(key);
    ofSession?.delete(listener);
    if (ofSession?.size === 0) this.#bySession.delete(key);
    if (this.size === 0) this.#stopTimers();
  }

  /** A payment of this process has moved on, and that is committed. */
  changed({ tenantId, checkoutSessionId }: Payment): void {
    if (checkoutSessionId === null || this.size === 0) return;
    const key = sessionKey({ tenantId, sessionId: checkoutSessionId });
    if (this.#bySession.has(key)) this.#look([key]);
  }

  /** Ends all streams; browsers reconnect automatically, to another process. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const listener of this.#versions.keys()) {
      listener.end();
      this.close(listener);
    }
    await this.#looking;
  }

  #startTimers(): void {
    this.#timers = [
      setInterval(() => this.#look(this.#bySession.keys()), pollIntervalMs),
      setInterval(() => {
        for (const listener of this.#versions.keys()) listener.write(':\n\n');
      }, heartbeatIntervalMs),
    ];
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  #look(keys: Iterable<string>): void {
    for (const key of keys) this.#dirty.add(key);
    this.#looking ??= this.#lookUntilClean().finally(() => {
      this.#looking = undefined;
      if (this.#dirty.size > 0) this.#look([]);
    });
  }

  async #lookUntilClean(): Promise<void> {
    while (this.#dirty.size > 0) {
      const sessions = [...this.#dirty].map(sessionOf);
      this.#dirty.clear();
      try {
        for (const { version, ...session } of await findVersions(
          this.#dependencies.database,
          sessions,
        )) {
          this.#tell(sessionKey(session), version);
        }
      } catch (error) {
        this.#dependencies.log.warn({ err: error }, 'open payment pages could not be updated');
      }
    }
  }

  #tell(key: string, version: string): void {
    for (const listener of this.#bySession.get(key) ?? []) {
      if (this.#versions.get(listener) === version) continue;
      this.#versions.set(listener, version);
      listener.write(`data: ${version}\n\n`);
    }
  }
}

type SessionKey = Pick<Listener, 'tenantId' | 'sessionId'>;

function sessionOf(key: string): SessionKey {
  const [tenantId, sessionId] = key.split(' ') as [string, string];
  return { tenantId, sessionId };
}
