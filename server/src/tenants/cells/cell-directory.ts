import { DomainError } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { isTransient } from '../../platform/postgres/transient-errors.ts';
import { homeName } from './cell.ts';
import { CellCache } from './cell-directory-cache.ts';
import {
  type CellLookup,
  findInCell,
  findLocation,
  findLocationsOfKeys,
  storeLocation,
  type TenantLocation,
} from './cell-directory-store.ts';

export interface DirectoryOptions {
  home: Queryable;
  /** The cells that this process serves, by name, including the home. */
  cells: ReadonlyMap<string, Queryable>;
  /** The cache size for keys and merchants; tenants have as many again. */
  maxEntries?: number;
  /**
   * How many different questions may be in progress to all cells: locations, and objects, which cost a look-up per
   * merchant.
   */
  maxLookups?: { places: number; objects: number };
}

/** Too many look-ups are in progress. */
export const directoryBusy = new DomainError(
  'UNAVAILABLE',
  'The service is temporarily busy. Send the request again.',
);

/** No answering cell has it, and a further cell does not answer. */
export const cellUnavailable = new DomainError('UNAVAILABLE', directoryBusy.message);

export const defaultMaxEntries = 300_000;

/**
 * The cells of tenants, merchants and keys. A merchant never changes its cell, so an answer is cached until least
 * recently used. During an outage of the home, cached answers keep working.
 */
export class Directory {
  readonly #options: DirectoryOptions;
  readonly #places: CellCache;
  /** Kept apart so that they cannot evict keys: a tenant's links and callbacks work as long as its keys. */
  readonly #tenants: CellCache;
  readonly #lookups = new Map<string, Promise<string | undefined>>();
  /** The look-ups in progress that ask all cells. */
  readonly #running = { places: 0, objects: 0 };

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#places = new CellCache(options.maxEntries ?? defaultMaxEntries);
    this.#tenants = new CellCache(options.maxEntries ?? defaultMaxEntries);
  }

  /** The cell, if it is cached. */
  findCached(lookup: CellLookup): string | undefined {
    const places = lookup.kind === 'TENANT' ? this.#tenants : this.#places;
    return places.get(cacheKeyOf(lookup));
  }

  /**
   * The cell; undefined if no cell has it. Concurrent calls for the same share one look-up.
   * @throws the error of the home's database if it does not answer
   * @throws {@link notNow}, {@link cellUnavailable}
   */
  async find(lookup: CellLookup): Promise<string | undefined> {
    const name = cacheKeyOf(lookup);
    const before = this.#lookups.get(name);
    if (before) return before;
    const finding = this.#find(lookup).finally(() => this.#lookups.delete(name));
    this.#lookups.set(name, finding);
    return finding;
  }

  /** Caches the cells of these keys, as far as the home knows them. */
  async preload(hashes: readonly Buffer[]): Promise<void> {
    const found = await findLocationsOfKeys(this.#options.home, hashes);
    for (const { hash, ...place } of found) this.#store({ kind: 'KEY', hash }, place);
  }

  async #find(lookup: CellLookup): Promise<string | undefined> {
    const { home } = this.#options;
    const hash = lookup.kind === 'KEY' ? lookup.hash : undefined;
    const known = await findLocation(home, lookup);
    if (known) return this.#store(lookup, known);
    const found = await this.#askInTurn(lookup);
    if (!found) return undefined;
    await storeLocation(home, found, hash);
    return this.#store(lookup, (await findLocation(home, lookup)) ?? found);
  }

  /** Only unknown entries take one of these turns, so requests for nonexistent ones cannot block the others. */
  async #askInTurn(lookup: CellLookup): Promise<TenantLocation | undefined> {
    const { maxLookups = { places: 500, objects: 4 } } = this.#options;
    const kind = lookup.kind === 'OBJECT' ? 'objects' : 'places';
    if (this.#running[kind] >= maxLookups[kind]) throw directoryBusy;
    this.#running[kind] += 1;
    try {
      return await this.#askAllCells(lookup);
    } finally {
      this.#running[kind] -= 1;
    }
  }

  /** Asks all cells at once: the first hit decides. Without a hit, all must have answered. */
  async #askAllCells(lookup: CellLookup): Promise<TenantLocation | undefined> {
    const asked = [...this.#options.cells].map(async ([cell, database]) => {
      const found = await findInCell(database, lookup).catch((error) => {
        throw cell !== homeName && isTransient(error) ? cellUnavailable : error;
      });
      return found && { ...found, cell };
    });
    const hit = Promise.any(asked.map(async (one) => (await one) ?? Promise.reject(new Error())));
    return (await hit.catch(() => undefined)) ?? (await allUndefined(asked));
  }

  #store(lookup: CellLookup, { cell, tenantId }: TenantLocation): string {
    if (lookup.kind !== 'TENANT') this.#places.set(cacheKeyOf(lookup), cell);
    this.#tenants.set(cacheKeyOf({ kind: 'TENANT', id: tenantId }), cell);
    return cell;
  }
}

/** Waits until all cells have answered, since none had it. @throws the error of a cell */
async function allUndefined(asked: readonly Promise<unknown>[]): Promise<undefined> {
  await Promise.all(asked);
}

/** The cache key. */
export const cacheKeyOf = (lookup: CellLookup): string =>
  lookup.kind === 'KEY' ? `KEY ${lookup.hash.toString('base64')}` : `${lookup.kind} ${lookup.id}`;
