import type { Logger } from 'pino';
import { reasonOf } from '../../platform/errors/errors.ts';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { homeName } from './cell.ts';
import {
  copiedTables,
  copySlice,
  findNameless,
  noteNames,
  type Place,
  printOf,
  type Slice,
  sliceAfter,
} from './copies.ts';

export interface CopyWorkerOptions {
  home: Database;
  /** All of them, the home among them. */
  cells: ReadonlyMap<string, Database>;
  log: Logger;
  intervalMs?: number;
  /** So often a cell is looked at although nothing has changed: it may have been set back. */
  looksBetweenChecks?: number;
  /** Of each table, in one look: what is longer is gone through from look to look. */
  rowsPerLook?: number;
}

interface Printed extends Slice {
  print: string;
}

/** Keeps the copies of people and blocked phones in the cells as the home has them, and the names of merchants there. */
export class CopyWorker {
  readonly #options: CopyWorkerOptions;
  readonly #poller: Poller;
  /** By table, where the next look begins. */
  readonly #after = new Map<string, Place>();
  /** By cell and slice, what it had when it was looked at last. */
  readonly #copied = new Map<string, string>();
  /** By cell, what is on its way there: one that is slow, or hangs, is left out until it is done. */
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #told = new Map<string, string>();
  #looks = 0;

  constructor(options: CopyWorkerOptions) {
    this.#options = options;
    const { log, intervalMs = 1_000 } = options;
    this.#poller = new Poller({
      name: 'copies for cells',
      clock: systemClock,
      log,
      claim: () => this.#look(),
      minIntervalMs: intervalMs,
      maxIntervalMs: intervalMs,
    });
  }

  start(): void {
    this.#poller.start();
  }

  async stop(): Promise<void> {
    await this.#poller.stop();
    await Promise.all(this.#underWay.values());
  }

  /** Once, to all cells that answer. */
  async copy(): Promise<void> {
    await this.#look();
    await Promise.all(this.#underWay.values());
  }

  /** Ends when the home has been read: no cell waits for another. */
  async #look(): Promise<number> {
    const { home, cells, looksBetweenChecks = 60 } = this.#options;
    this.#looks += 1;
    const isCheck = this.#looks % looksBetweenChecks === 0;
    if (isCheck) this.#copied.clear();
    const slices: Printed[] = [];
    for (const copied of copiedTables) slices.push(await this.#nextSlice(copied));
    const nameless = await findNameless(home, isCheck);
    for (const [name, cell] of cells) {
      if (name === homeName || this.#underWay.has(name)) continue;
      const copying = this.#copyTo(name, cell, { slices, nameless }).finally(() =>
        this.#underWay.delete(name),
      );
      this.#underWay.set(name, copying);
    }
    return 0;
  }

  async #nextSlice(copied: Slice['copied']): Promise<Printed> {
    const { home, rowsPerLook: rows = 2_000 } = this.#options;
    const after = this.#after.get(copied.table);
    const slice = await sliceAfter(home, copied, { after, rows });
    if (slice.upTo) this.#after.set(copied.table, slice.upTo);
    else this.#after.delete(copied.table);
    return { ...slice, print: await printOf(home, slice) };
  }

  async #copyTo(
    name: string,
    cell: Database,
    { slices, nameless }: { slices: readonly Printed[]; nameless: readonly string[] },
  ): Promise<void> {
    let reason: string | undefined;
    const attempt = async (copy: () => Promise<void>) => {
      // What one table refuses keeps no other back; a cell that is down gets all of it when it is back.
      await copy().catch((error: Error) => {
        reason = reasonOf(error);
      });
    };
    const { home } = this.#options;
    if (nameless.length > 0) await attempt(() => noteNames(home, cell, nameless));
    for (const slice of slices) await attempt(() => this.#copySlice(name, cell, slice));
    this.#tell(name, reason);
  }

  async #copySlice(name: string, cell: Database, { print, ...slice }: Printed): Promise<void> {
    const key = `${name} ${slice.copied.table} ${slice.after?.join(' ') ?? ''}`;
    const state = `${slice.upTo?.join(' ') ?? ''} ${print}`;
    if (this.#copied.get(key) === state) return;
    await copySlice(this.#options.home, cell, slice, print);
    this.#copied.set(key, state);
  }

  #tell(cell: string, reason: string | undefined): void {
    if (this.#told.get(cell) === reason) return;
    if (reason === undefined) this.#told.delete(cell);
    else {
      this.#told.set(cell, reason);
      this.#options.log.warn(
        { cell, reason },
        'people and blocked phones are not copied to a cell',
      );
    }
  }
}
