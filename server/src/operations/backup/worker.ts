import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { BackupSetting } from '../../platform/config/backup-variables.ts';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { isDue, scheduledPlace } from './schedule.ts';
import { backupTimes } from './store.ts';

export interface BackupWorkerDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  setting: BackupSetting;
  /** Makes a backup if it is due and nobody else is making one; runs the program in its own process. */
  make?: (signal: AbortSignal) => Promise<ProcessResult>;
}

export interface ProcessResult {
  isGood: boolean;
  /** Its error output, if it failed. */
  words: string;
}

const intervalMs = 60_000;
/** The process hangs. */
const limitMs = 12 * 3_600_000;
const killAfterMs = 30_000;
const wordsLimit = 2_000;
/** Payments come first. */
const lowPriority = 10;

/**
 * Checks whether a backup is due, and makes it in a separate process: its memory and work do not burden the gateway,
 * and a hanging process can be killed. A lock decides which of several gateways makes it.
 */
export class BackupWorker {
  readonly #dependencies: BackupWorkerDependencies;
  readonly #loop: Poller;

  constructor(dependencies: BackupWorkerDependencies) {
    this.#dependencies = dependencies;
    const { clock, log } = dependencies;
    const claim = (signal: AbortSignal) => this.#makeIfDue(signal);
    const intervals = { minIntervalMs: intervalMs, maxIntervalMs: intervalMs };
    this.#loop = new Poller({ name: 'backups', clock, log, claim, ...intervals });
  }

  start(): void {
    if (this.#dependencies.setting.schedule) this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #makeIfDue(signal: AbortSignal): Promise<number> {
    const { database, clock, log, setting } = this.#dependencies;
    const { make = makeInProcess } = this.#dependencies;
    const { schedule, timeZone } = setting;
    if (!schedule) return 0;
    const times = await backupTimes(database, scheduledPlace(setting));
    if (!isDue({ schedule, timeZone }, times, clock.nowMs())) return 0;
    const { isGood, words } = await make(signal);
    if (!isGood && !signal.aborted)
      log.error({ words }, 'a backup failed; the next try is in an hour');
    return 0;
  }
}

const program = fileURLToPath(new URL('../../../bin/zimbo.js', import.meta.url));

/** `zimbo backup --if-due`, with the settings of this process. */
const makeInProcess = (stopping: AbortSignal) => ended(['backup', '--if-due'], stopping);

async function ended(args: readonly string[], stopping: AbortSignal): Promise<ProcessResult> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-wordsLimit);
  });
  const isGood = new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      words = error.message;
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  if (child.pid !== undefined) {
    try {
      setPriority(child.pid, lowPriority);
    } catch {
      // It may have ended already.
    }
  }
  let killing: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill('SIGTERM');
    killing = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  };
  const limit = setTimeout(end, limitMs);
  stopping.addEventListener('abort', end, { once: true });
  try {
    return { isGood: await isGood, words };
  } finally {
    clearTimeout(limit);
    clearTimeout(killing);
    stopping.removeEventListener('abort', end);
  }
}
