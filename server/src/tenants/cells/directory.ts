import type { Logger } from 'pino';
import { DomainError, reasonOf } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { isTransient } from '../../platform/postgres/transient-errors.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { homeName } from './cell.ts';
import { NotServed } from './not-served.ts';
import {
  findInCell,
  findMoves,
  findPlace,
  findPlacesOfKeys,
  type Move,
  type Place,
  rememberPlace,
  type Sought,
} from './place-store.ts';
import { type KnownPlace, Places } from './places.ts';

export interface DirectoryOptions {
  home: Queryable;
  /** Connected to the home by itself: a look does not wait behind payments, nor do merchants that are held for it. */
  looks: Queryable;
  /** Those that this process serves, by their names; the home among them. */
  cells: ReadonlyMap<string, Queryable>;
  clock: Clock;
  log: Logger;
  /** Of the places that are remembered; of tenants, as many again. */
  maxEntries?: number;
  /** Of different places that all cells are asked for at once, and of things, each a look at every merchant. */
  mostAsked?: { places: number; things: number };
  /** How long a further cell may take to say whether it has a place. */
  patienceMs?: number;
  /** Between two looks at what moves; while a merchant is held, a tenth of it. */
  intervalMs?: number;
}

const words = 'It cannot be said at the moment where this belongs: send the request again.';
/** Its merchant is between two cells, or too much is looked for at once. */
export const notNow = new DomainError('UNAVAILABLE', words);
/** None has it that answers, and a further cell does not answer. */
export const cellAway = new DomainError('UNAVAILABLE', words);

/** What a transaction changed is seen when it has ended: so much later at most. */
const marginSeconds = 3_600;

export const usualMaxEntries = 300_000;

/** So many looks may fail before it is told. */
const mostFailed = 5;
const quietMs = 60_000;

/**
 * Where tenants, merchants and keys live. What was found once is remembered until it moves, or until too much else was
 * found since it was last used; so that an outage of the home leaves it working.
 */
export class Directory {
  readonly #options: DirectoryOptions;
  readonly #places: Places;
  /** By themselves, lest they put keys out: links and callbacks of a tenant go on as long as its keys do. */
  readonly #tenants: Places;
  readonly #sought = new Map<string, Promise<string | undefined>>();
  /** How many of them all cells are asked for. */
  readonly #asking = { places: 0, things: 0 };
  readonly #held = new Map<string, { untilMs: number; released: PromiseWithResolvers<void> }>();
  /** What the last look saw, by merchants. */
  #followed: ReadonlyMap<string, Move> = new Map();
  /** Of the last look, by the clock of the home: whatever has changed since is seen, however long it was away. */
  #asOfMs: number | undefined;
  /** Looks in a row. */
  #failed = 0;
  #quietUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#places = new Places(options.maxEntries ?? usualMaxEntries);
    this.#tenants = new Places(options.maxEntries ?? usualMaxEntries);
  }

  /** The cell, if this process knows it without asking anybody. */
  known(sought: Sought): string | undefined {
    return this.#placeOf(sought)?.cell;
  }

  /**
   * The cell; undefined where no cell has it. Whoever asks for the same meanwhile gets the same answer.
   * @throws what the home's database throws if it does not answer
   * @throws UNAVAILABLE nobody can say so: {@link notNow}, {@link cellAway}
   */
  async find(sought: Sought): Promise<string | undefined> {
    const name = nameOf(sought);
    const before = this.#sought.get(name);
    if (before) return before;
    const finding = this.#find(sought).finally(() => this.#sought.delete(name));
    this.#sought.set(name, finding);
    return finding;
  }

  /** Remembers where these keys are, as far as the home has noted it. */
  async learn(hashes: readonly Buffer[]): Promise<void> {
    const found = await findPlacesOfKeys(this.#options.home, hashes);
    for (const { hash, ...place } of found) this.#note({ kind: 'KEY', hash }, place);
  }

  /** Resolves when requests of this merchant need not wait any more; undefined where they need not now. */
  held(sought: Sought): Promise<void> | undefined {
    if (this.#held.size === 0) return undefined;
    const place = this.#placeOf(sought);
    return place && this.#held.get(place.merchantId)?.released.promise;
  }

  /** Looks at what moves from now on. */
  async start(): Promise<void> {
    await this.#look();
    this.#plan();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const { released } of this.#held.values()) released.resolve();
    this.#held.clear();
  }

  async #find(sought: Sought): Promise<string | undefined> {
    const { home } = this.#options;
    const hash = sought.kind === 'KEY' ? sought.hash : undefined;
    const known = await findPlace(home, sought);
    if (known) return this.#note(sought, known);
    const found = await this.#askInTurn(sought);
    if (!found) return undefined;
    await rememberPlace(home, found, hash);
    return this.#note(sought, (await findPlace(home, sought)) ?? found);
  }

  /** What the home has noted needs none of these turns, so that nobody who asks for nothing can use them up for all. */
  async #askInTurn(sought: Sought): Promise<Place | undefined> {
    const { mostAsked = { places: 500, things: 4 } } = this.#options;
    const kind = sought.kind === 'THING' ? 'things' : 'places';
    if (this.#asking[kind] >= mostAsked[kind]) throw notNow;
    this.#asking[kind] += 1;
    try {
      return await this.#ask(sought);
    } finally {
      this.#asking[kind] -= 1;
    }
  }

  /** All at once: whoever has it says so. Where nobody has, all must have answered. */
  async #ask(sought: Sought): Promise<Place | undefined> {
    const asked = [...this.#options.cells].map(async ([cell, database]) => {
      const looking = findInCell(database, sought);
      const found = await (cell === homeName ? looking : this.#patiently(looking, sought));
      return found && { ...found, cell };
    });
    const hit = Promise.any(
      asked.map(async (one) => {
        const found = await one;
        return found?.isHere ? found : Promise.reject(new Error());
      }),
    );
    const found = await hit.catch(() => undefined);
    if (found) return found;
    const all = await Promise.all(asked);
    // It has left one cell, and has not yet come to the next.
    if (all.some((one) => one !== undefined && !one.isHere)) throw notNow;
    return all.find((one) => one !== undefined);
  }

  /** @throws cellAway it does not answer, or not soon; a thing takes as long as its statement may */
  async #patiently<Found>(looking: Promise<Found>, { kind }: Sought): Promise<Found> {
    const { patienceMs = 1_000 } = this.#options;
    const late = Promise.withResolvers<never>();
    const hurry = () => setTimeout(() => late.reject(cellAway), patienceMs);
    const timer = kind === 'THING' ? undefined : hurry();
    try {
      return await Promise.race([looking, late.promise]);
    } catch (error) {
      if (error instanceof NotServed || isTransient(error)) throw cellAway;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #placeOf(sought: Sought): KnownPlace | undefined {
    return (sought.kind === 'TENANT' ? this.#tenants : this.#places).get(nameOf(sought));
  }

  #note(sought: Sought, { cell, merchantId, tenantId }: Place): string {
    // Whoever asked for long may bring what was true before the last look.
    const present = this.#followed.get(merchantId)?.cell ?? cell;
    const place = { cell: present, merchantId };
    if (sought.kind !== 'TENANT') this.#places.set(nameOf(sought), place);
    this.#tenants.set(nameOf({ kind: 'TENANT', id: tenantId }), place);
    return present;
  }

  async #look(): Promise<void> {
    const { looks, clock } = this.#options;
    const nowMs = clock.nowMs();
    const seen = await findMoves(looks, { sinceMs: this.#asOfMs, marginSeconds });
    this.#failed = 0;
    this.#asOfMs = seen.asOfMs;
    this.#follow(seen.moves);
    const holding = seen.moves.filter(({ holdsForMs }) => holdsForMs > 0);
    for (const { merchantId, holdsForMs } of holding) this.#hold(merchantId, nowMs + holdsForMs);
    const isHolding = new Set(holding.map(({ merchantId }) => merchantId));
    this.#release((merchantId) => !isHolding.has(merchantId));
  }

  /** All places are gone through only if something has moved since the last look. */
  #follow(moves: readonly Move[]): void {
    const news = moves.filter(({ merchantId, moveId, cell }) => {
      const followed = this.#followed.get(merchantId);
      return followed?.moveId !== moveId || followed.cell !== cell;
    });
    this.#followed = new Map(moves.map((move) => [move.merchantId, move]));
    if (news.length === 0) return;
    const cells = new Map(news.map(({ merchantId, cell }) => [merchantId, cell]));
    for (const places of [this.#places, this.#tenants]) places.follow(cells);
  }

  #hold(merchantId: string, untilMs: number): void {
    const released = this.#held.get(merchantId)?.released ?? Promise.withResolvers<void>();
    this.#held.set(merchantId, { untilMs, released });
  }

  /** Those for whom it is over, and those whose time is up, whether the home answers or not. */
  #release(isOver: (merchantId: string) => boolean): void {
    const nowMs = this.#options.clock.nowMs();
    for (const [merchantId, { untilMs, released }] of this.#held) {
      if (!isOver(merchantId) && nowMs < untilMs) continue;
      this.#held.delete(merchantId);
      released.resolve();
    }
  }

  /** Once a minute: meanwhile requests may go where a merchant was. */
  #tell(error: Error): void {
    const { log, clock } = this.#options;
    const nowMs = clock.nowMs();
    this.#failed += 1;
    if (this.#failed < mostFailed || nowMs < this.#quietUntilMs) return;
    this.#quietUntilMs = nowMs + quietMs;
    const told = 'the home does not say which merchants move: moves are not followed';
    log.warn({ reason: reasonOf(error), looks: this.#failed }, told);
  }

  #plan(): void {
    if (this.#stopped) return;
    const { intervalMs = 1_000 } = this.#options;
    const delayMs = this.#held.size > 0 ? intervalMs / 10 : intervalMs;
    this.#timer = setTimeout(() => {
      this.#look()
        .catch((error) => {
          this.#tell(error);
          this.#release(() => false);
        })
        .finally(() => this.#plan());
    }, delayMs).unref();
  }
}

/** What it is remembered by. */
export const nameOf = (sought: Sought): string =>
  sought.kind === 'KEY' ? `KEY ${sought.hash.toString('base64')}` : `${sought.kind} ${sought.id}`;
