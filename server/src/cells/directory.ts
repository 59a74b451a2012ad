import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { DomainError } from '../errors.ts';
import type { Queryable } from '../postgres/database.ts';
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
import { Places } from './places.ts';

export interface DirectoryOptions {
  home: Queryable;
  /** Those that this process serves, by their names; the home among them. */
  cells: ReadonlyMap<string, Queryable>;
  clock: Clock;
  log: Logger;
  /** Of the places that are remembered. */
  maxEntries?: number;
  /** Of different places that are looked for at once, and of things, each of which costs a look at every merchant. */
  mostAsked?: { places: number; things: number };
  /** Between two looks at what moves; while a merchant is held, a tenth of it. */
  intervalMs?: number;
}

const notNow = new DomainError(
  'UNAVAILABLE',
  'It cannot be said at the moment where this belongs: send the request again.',
);

/** What a transaction changed is seen when it has ended: so much later at most. */
const marginSeconds = 3_600;

export const usualMaxEntries = 300_000;

/**
 * Where tenants, merchants and keys live. What was found once is remembered until it moves, or until too much else was
 * found since it was last used; so that an outage of the home leaves it working.
 */
export class Directory {
  readonly #options: DirectoryOptions;
  readonly #places: Places;
  readonly #asked = new Map<string, Promise<string | undefined>>();
  readonly #askedThings = new Map<string, Promise<string | undefined>>();
  readonly #held = new Map<string, { untilMs: number; released: PromiseWithResolvers<void> }>();
  /** What the last look saw, by merchants. */
  #followed: ReadonlyMap<string, Move> = new Map();
  /** Of the last look, by the clock of the home: whatever has changed since is seen, however long it was away. */
  #asOfMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#places = new Places(options.maxEntries ?? usualMaxEntries);
  }

  /** The cell, if this process knows it without asking anybody. */
  known(sought: Sought): string | undefined {
    return this.#places.get(nameOf(sought))?.cell;
  }

  /**
   * The cell; undefined where no cell has it.
   * @throws what a database throws that does not answer, where nobody else knows it
   * @throws UNAVAILABLE its merchant is between two cells, or too much is looked for at once
   */
  async find(sought: Sought): Promise<string | undefined> {
    const { places, things } = this.#options.mostAsked ?? { places: 500, things: 4 };
    const [asked, most] =
      sought.kind === 'THING' ? [this.#askedThings, things] : [this.#asked, places];
    const name = nameOf(sought);
    const before = asked.get(name);
    if (before) return before;
    if (asked.size >= most) throw notNow;
    const asking = this.#find(sought).finally(() => asked.delete(name));
    asked.set(name, asking);
    return asking;
  }

  /** Remembers where these keys are, as far as the home has noted it. */
  async learn(hashes: readonly Buffer[]): Promise<void> {
    const found = await findPlacesOfKeys(this.#options.home, hashes);
    for (const { hash, ...place } of found) this.#note({ kind: 'KEY', hash }, place);
  }

  /** Resolves when requests of this merchant need not wait any more; undefined where they need not now. */
  held(sought: Sought): Promise<void> | undefined {
    if (this.#held.size === 0) return undefined;
    const place = this.#places.get(nameOf(sought));
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
    const found = await this.#ask(sought);
    if (!found) return undefined;
    await rememberPlace(home, found, hash);
    return this.#note(sought, (await findPlace(home, sought)) ?? found);
  }

  /** All at once: whoever has it says so. Where nobody has, all must have answered. */
  async #ask(sought: Sought): Promise<Place | undefined> {
    const asked = [...this.#options.cells].map(async ([cell, database]) => {
      const found = await findInCell(database, sought);
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

  #note(sought: Sought, { cell, merchantId }: Place): string {
    // Whoever asked for long may bring what was true before the last look.
    const present = this.#followed.get(merchantId)?.cell ?? cell;
    this.#places.set(nameOf(sought), { cell: present, merchantId });
    return present;
  }

  async #look(): Promise<void> {
    const { home, clock } = this.#options;
    const nowMs = clock.nowMs();
    const seen = await findMoves(home, { sinceMs: this.#asOfMs, marginSeconds });
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
    this.#places.follow(new Map(news.map(({ merchantId, cell }) => [merchantId, cell])));
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

  #plan(): void {
    if (this.#stopped) return;
    const { intervalMs = 1_000, log } = this.#options;
    const delayMs = this.#held.size > 0 ? intervalMs / 10 : intervalMs;
    this.#timer = setTimeout(() => {
      this.#look()
        .catch((error) => {
          log.debug({ err: error }, 'the directory of cells does not answer');
          this.#release(() => false);
        })
        .finally(() => this.#plan());
    }, delayMs).unref();
  }
}

/** What it is remembered by. */
export const nameOf = (sought: Sought): string =>
  sought.kind === 'KEY' ? `KEY ${sought.hash.toString('base64')}` : `${sought.kind} ${sought.id}`;
