import { DomainError } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { isTransient } from '../../platform/postgres/transient-errors.ts';
import { homeName } from './cell.ts';
import {
  type CellLookup,
  findInCell,
  findPlace,
  findPlacesOfKeys,
  type Place,
  rememberPlace,
} from './place-store.ts';
import { Places } from './places.ts';

export interface DirectoryOptions {
  home: Queryable;
  /** Those that this process serves, by their names; the home among them. */
  cells: ReadonlyMap<string, Queryable>;
  /** Of the places that are remembered; of tenants, as many again. */
  maxEntries?: number;
  /** Of different places that all cells are asked for at once, and of things, each a look at every merchant. */
  mostAsked?: { places: number; things: number };
}

/** Too much is looked for at once. */
export const notNow = new DomainError(
  'UNAVAILABLE',
  'The service is temporarily busy. Send the request again.',
);

/** No cell has it that answers, and a further cell does not answer. */
export const cellAway = new DomainError('UNAVAILABLE', notNow.message);

export const usualMaxEntries = 300_000;

/**
 * Where tenants, merchants and keys live. A merchant never changes its cell, so the answer is remembered until too
 * much else was found since it was last used. An outage of the home does not disturb what is remembered.
 */
export class Directory {
  readonly #options: DirectoryOptions;
  readonly #places: Places;
  /** By themselves, lest they put keys out: links and callbacks of a tenant go on as long as its keys do. */
  readonly #tenants: Places;
  readonly #sought = new Map<string, Promise<string | undefined>>();
  /** How many of them all cells are asked for. */
  readonly #asking = { places: 0, things: 0 };

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#places = new Places(options.maxEntries ?? usualMaxEntries);
    this.#tenants = new Places(options.maxEntries ?? usualMaxEntries);
  }

  /** The cell, if this process knows it without asking anybody. */
  known(lookup: CellLookup): string | undefined {
    const places = lookup.kind === 'TENANT' ? this.#tenants : this.#places;
    return places.get(nameOf(lookup));
  }

  /**
   * The cell; undefined where no cell has it. Whoever asks for the same meanwhile gets the same answer.
   * @throws what the home's database throws if it does not answer
   * @throws {@link notNow}, {@link cellAway}
   */
  async find(lookup: CellLookup): Promise<string | undefined> {
    const name = nameOf(lookup);
    const before = this.#sought.get(name);
    if (before) return before;
    const finding = this.#find(lookup).finally(() => this.#sought.delete(name));
    this.#sought.set(name, finding);
    return finding;
  }

  /** Remembers where these keys are, as far as the home has noted it. */
  async learn(hashes: readonly Buffer[]): Promise<void> {
    const found = await findPlacesOfKeys(this.#options.home, hashes);
    for (const { hash, ...place } of found) this.#note({ kind: 'KEY', hash }, place);
  }

  async #find(lookup: CellLookup): Promise<string | undefined> {
    const { home } = this.#options;
    const hash = lookup.kind === 'KEY' ? lookup.hash : undefined;
    const known = await findPlace(home, lookup);
    if (known) return this.#note(lookup, known);
    const found = await this.#askInTurn(lookup);
    if (!found) return undefined;
    await rememberPlace(home, found, hash);
    return this.#note(lookup, (await findPlace(home, lookup)) ?? found);
  }

  /** What the home has noted needs none of these turns, so that nobody who asks for nothing can use them up for all. */
  async #askInTurn(lookup: CellLookup): Promise<Place | undefined> {
    const { mostAsked = { places: 500, things: 4 } } = this.#options;
    const kind = lookup.kind === 'OBJECT' ? 'things' : 'places';
    if (this.#asking[kind] >= mostAsked[kind]) throw notNow;
    this.#asking[kind] += 1;
    try {
      return await this.#ask(lookup);
    } finally {
      this.#asking[kind] -= 1;
    }
  }

  /** All at once: whoever has it says so. Where nobody has, all must have answered. */
  async #ask(lookup: CellLookup): Promise<Place | undefined> {
    const asked = [...this.#options.cells].map(async ([cell, database]) => {
      const found = await findInCell(database, lookup).catch((error) => {
        throw cell !== homeName && isTransient(error) ? cellAway : error;
      });
      return found && { ...found, cell };
    });
    const hit = Promise.any(asked.map(async (one) => (await one) ?? Promise.reject(new Error())));
    return (await hit.catch(() => undefined)) ?? (await allUndefined(asked));
  }

  #note(lookup: CellLookup, { cell, tenantId }: Place): string {
    if (lookup.kind !== 'TENANT') this.#places.set(nameOf(lookup), cell);
    this.#tenants.set(nameOf({ kind: 'TENANT', id: tenantId }), cell);
    return cell;
  }
}

/** Where no cell has it, all must have answered. @throws what one of them threw */
async function allUndefined(asked: readonly Promise<unknown>[]): Promise<undefined> {
  await Promise.all(asked);
}

/** What it is remembered by. */
export const nameOf = (lookup: CellLookup): string =>
  lookup.kind === 'KEY' ? `KEY ${lookup.hash.toString('base64')}` : `${lookup.kind} ${lookup.id}`;
