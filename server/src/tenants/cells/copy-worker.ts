import type { Logger } from 'pino';
import { reasonOf } from '../../platform/errors/errors.ts';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { homeName } from './cell.ts';
import {
  checksumOf,
  copiedTables,
  copyMerchantNames,
  copySlice,
  findUnnamedMerchants,
  type Position,
  type Slice,
  sliceAfter,
} from './copies.ts';

export interface CopyWorkerOptions {
  home: Database;
  /** All cells, including the home. */
  cells: ReadonlyMap<string, Database>;
  log: Logger;
  intervalMs?: number;
  /** After this many passes, cells are checked even without changes, because one may have been set back. */
  passesBetweenChecks?: number;
  /** The maximum rows of each table per pass; longer tables take several passes. */
  rowsPerPass?: number;
}

interface CheckedSlice extends Slice {
  checksum: string;
}

/** Copies people and blocked phones from the home to the cells, and names of merchants from the cells to the home. */
export class CopyWorker {
  readonly #options: CopyWorkerOptions;
  readonly #poller: Poller;
  /** By table, where the next pass starts. */
  readonly #after = new Map<string, Position>();
  /** By cell and slice, the state at the last copy. */
  readonly #copied = new Map<string, string>();
  /** By cell, the copy in progress; a slow or hanging cell is skipped until it has ended. */
  readonly #inProgress = new Map<string, Promise<void>>();
  readonly #reported = new Map<string, string>();
  #passes = 0;

  constructor(options: CopyWorkerOptions) {
    this.#options = options;
    const { log, intervalMs = 1_000 } = options;
    this.#poller = new Poller({
      name: 'copies for cells',
      clock: systemClock,
      log,
      claim: () => this.#runPass(),
      minIntervalMs: intervalMs,
      maxIntervalMs: intervalMs,
    });
  }

  start(): void {
    this.#poller.start();
  }

  async stop(): Promise<void> {
    await this.#poller.stop();
    await Promise.all(this.#inProgress.values());
  }

  /** Runs one pass to its end, for all cells that answer. */
  async copy(): Promise<void> {
    await this.#runPass();
    await Promise.all(this.#inProgress.values());
  }

  /** Resolves when the home has been read: no cell waits for another. */
  async #runPass(): Promise<number> {
    const { home, cells, passesBetweenChecks = 60 } = this.#options;
    this.#passes += 1;
    const isCheck = this.#passes % passesBetweenChecks === 0;
    if (isCheck) this.#copied.clear();
    const slices: CheckedSlice[] = [];
    for (const copied of copiedTables) slices.push(await this.#nextSlice(copied));
    const unnamed = await findUnnamedMerchants(home, isCheck);
    for (const [name, cell] of cells) {
      if (name === homeName || this.#inProgress.has(name)) continue;
      const copying = this.#copyTo(name, cell, { slices, unnamed }).finally(() =>
        this.#inProgress.delete(name),
      );
      this.#inProgress.set(name, copying);
    }
    return 0;
  }

  async #nextSlice(copied: Slice['table']): Promise<CheckedSlice> {
    const { home, rowsPerPass: rows = 2_000 } = this.#options;
    const after = this.#after.get(copied.name);
    const slice = await sliceAfter(home, copied, { after, rows });
    if (slice.upTo) this.#after.set(copied.name, slice.upTo);
    else this.#after.delete(copied.name);
    return { ...slice, checksum: await checksumOf(home, slice) };
  }

  async #copyTo(
    name: string,
    cell: Database,
    { slices, unnamed }: { slices: readonly CheckedSlice[]; unnamed: readonly string[] },
  ): Promise<void> {
    let reason: string | undefined;
    const attempt = async (copy: () => Promise<void>) => {
      // An error in one table does not stop the others; an unreachable cell receives everything when it is back.
      await copy().catch((error: Error) => {
        reason = reasonOf(error);
      });
    };
    const { home } = this.#options;
    if (unnamed.length > 0) await attempt(() => copyMerchantNames(home, cell, unnamed));
    for (const slice of slices) await attempt(() => this.#copySlice(name, cell, slice));
    this.#report(name, reason);
  }

  async #copySlice(
    name: string,
    cell: Database,
    { checksum, ...slice }: CheckedSlice,
  ): Promise<void> {
    const key = `${name} ${slice.table.name} ${slice.after?.join(' ') ?? ''}`;
    const state = `${slice.upTo?.join(' ') ?? ''} ${checksum}`;
    if (this.#copied.get(key) === state) return;
    await copySlice(this.#options.home, cell, slice, checksum);
    this.#copied.set(key, state);
  }

  #report(cell: string, reason: string | undefined): void {
    if (this.#reported.get(cell) === reason) return;
    if (reason === undefined) this.#reported.delete(cell);
    else {
      this.#reported.set(cell, reason);
      this.#options.log.warn(
        { cell, reason },
        'people and blocked phones could not be copied to a cell',
      );
    }
  }
}
