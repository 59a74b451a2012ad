import { createCallbackTokens } from '../../src/integrations/operators/callback-token.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { foldTotals } from '../../src/money/totals/fold.ts';
import { type Random, seeded } from '../torture/random.ts';
import { Bank } from './bank.ts';
import type { BrokenInvariant, Invariant } from './broken-invariant.ts';
import { CallbackDelivery } from './callback-delivery.ts';
import { Counts } from './counts.ts';
import { isLive, type LiveName, liveNames, type Tenant, type World } from './dependencies.ts';
import { type Dials, dialsOf, type OptionalDial } from './dials.ts';
import { Disbursers } from './disbursers.ts';
import { FaultInjector } from './faults.ts';
import { Checks } from './invariants.ts';
import { Mirror } from './mirror.ts';
import type { Customer } from './operator-records.ts';
import { outagesOf } from './outages.ts';
import { People } from './people.ts';
import { Provider } from './provider.ts';
import { seededIds } from './random-values.ts';
import { Scheduler } from './scheduler.ts';
import { listedForReview, Staff } from './staff.ts';
import { Store } from './store.ts';
import { withTimersOf } from './timers.ts';
import { Trace } from './trace.ts';
import { traceChange } from './trace-change.ts';

export interface SeedOptions {
  seed: number;
  payments: number;
  /** A scenario of scenarios.ts, instead of the seed's dials. */
  only?: string | undefined;
  /** Dials to disable. */
  without?: readonly OptionalDial[] | undefined;
  /** Disbursements for each payment, instead of the dial. */
  disbursed?: number | undefined;
  /** Checks only this invariant. */
  invariant?: Invariant | undefined;
  /** Prints the story as it happens. */
  printsStory?: boolean;
}

export interface SeedResult {
  broken: BrokenInvariant | undefined;
  /** The story of the broken invariant. */
  story: string[];
  dials: Dials;
  steps: number;
  counts: Counts;
  /** The same for each run of a seed. */
  fingerprint: () => string;
}

const startMs = Date.parse('2026-11-21T09:30:00.000Z');
/** Longer than anything takes to finish. */
const longestMs = 3 * 3_600_000;
const pollIntervalMs = 5_000;

/** Plays seeds one after another on one database. */
export class Simulation {
  #store: Store;
  #mirror: Mirror;
  #tenants: Tenant[];

  private constructor(store: Store, mirror: Mirror, tenants: Tenant[]) {
    this.#store = store;
    this.#mirror = mirror;
    this.#tenants = tenants;
  }

  static async open(url: string): Promise<Simulation> {
    const mirror = new Mirror();
    const store = await Store.open(url, mirror);
    return new Simulation(store, mirror, await makeTenants(store));
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async play(options: SeedOptions): Promise<SeedResult> {
    const { seed, payments } = options;
    const dials = dialsOf(options);
    const { world, people, fates } = await this.#begin(seed, dials);
    const { scheduler, checks, trace } = world;
    checks.only = options.invariant;
    trace.printsAtOnce = options.printsStory ?? false;
    people.plan(payments);
    fates.plan();
    const endMs = dials.rushMs + 150_000;
    let isQuiet = false;
    const look = () => {
      if (scheduler.nowMs - startMs > endMs) scheduler.freezing = { share: 0, longestMs: 0 };
      isQuiet = !scheduler.isBusyNow && people.isIdle && fates.isIdle && isAtRest(world);
      scheduler.after(fates.actor, pollIntervalMs, 'a look', look, 'alone');
    };
    look();
    isQuiet = false;
    const isOver = () =>
      isQuiet || checks.found !== undefined || scheduler.nowMs - startMs > longestMs;
    await withTimersOf(scheduler, () => scheduler.run(isOver));
    if (!checks.found) await this.#checkAtRest(world, isQuiet);
    const broken = checks.found;
    return {
      broken,
      story: broken ? trace.about(broken.names) : [],
      dials,
      steps: scheduler.steps,
      counts: world.counts,
      fingerprint: () => trace.fingerprint(),
    };
  }

  async #begin(seed: number, dials: Dials) {
    const scheduler = new Scheduler(startMs, seeded(seed, 2), dials.tickMs);
    scheduler.freezing = {
      share: dials.frozenSteps,
      longestMs: dials.longestFreezeMs,
      label: dials.frozenLabel,
    };
    const trace = new Trace(() => scheduler.nowMs);
    scheduler.onFreeze = ({ name }, label, forMs) =>
      trace.add(name, `is held up for ${(forMs / 1_000).toFixed(1)} s: ${label}`);
    await this.#store.begin(scheduler);
    const customers = new Map<string, Customer>();
    const world = this.#worldOf(seed, dials, scheduler, trace);
    const staff = new Staff(world);
    const gateway = () => fates.anyGateway();
    const random = seeded(seed, 9);
    const disbursers = new Disbursers({ world, gateway, customers, random });
    const people: People = new People({ world, gateway, customers, disbursers });
    const fates: FaultInjector = new FaultInjector(world, staff, people);
    const road = new CallbackDelivery(world, gateway);
    Object.assign(world.providers, providersOf(seed, world, customers, road));
    this.#mirror.onChange = (table, before, after) => {
      traceChange(trace, table, before?.row, after.row);
      world.checks.onChange(table, before, after);
    };
    this.#store.onClaim = (...claim) => world.checks.onClaim(...claim);
    road.plan();
    staff.plan();
    return { world, people, fates };
  }

  #worldOf(seed: number, dials: Dials, scheduler: Scheduler, trace: Trace): World {
    const tenants = this.#tenants;
    const checks = new Checks(() => world);
    const world: World = {
      dials,
      random: seeded(seed, 3),
      scheduler,
      trace,
      counts: new Counts(),
      store: this.#store,
      mirror: this.#mirror,
      ids: seededIds(seeded(seed, 4)),
      tokens: createCallbackTokens(Buffer.alloc(32, 7)),
      tenants,
      providers: {} as World['providers'],
      bank: new Bank({
        trace,
        isLive: (id) => isLive({ tenants }, id),
        unitsOf: (id) => checks.unitsOf(id),
        onFile: (...written) => checks.onFile(...written),
      }),
      checks,
    };
    return world;
  }

  async #checkAtRest(world: World, isQuiet: boolean): Promise<void> {
    const { checks, store, trace } = world;
    const listed = await listedForReview(world);
    if (!isQuiet) {
      const busy = dueRows(world).filter((id) => !listed.has(id) && !isHeldUp(world, listed, id));
      const names = busy.map((id) => trace.nameOf('?', id));
      if (busy.length > 0)
        checks.broken('rest', `still due after hours: ${names.join(', ')}`, names);
    }
    checks.atRest(listed);
    // Fold only some, so that folded and unfolded rows are checked together.
    await foldTotals(store.database, 5);
    for (const { check, message } of await checkLedger(store.database)) {
      // The simulated operators of test mode are set back with the ledger, and forget their
      // answers.
      if (check === 'operator' && world.dials.setBacks > 0) continue;
      checks.broken('ledger', message, []);
    }
  }
}

function providersOf(
  seed: number,
  world: World,
  customers: Map<string, Customer>,
  road: CallbackDelivery,
) {
  const { dials, scheduler, random, trace, checks, counts } = world;
  const outgoing = seeded(seed, 8);
  const providerOf = (operator: LiveName) =>
    new Provider({
      operator,
      outages: outagesOf(dials, outgoing, startMs),
      dials: dials.operators[operator],
      scheduler,
      random,
      trace,
      customerOf: (phone) => customers.get(phone)!,
      counts,
      callBack: (url, body, words, tries) => road.send(operator, url, body, words, tries),
      onTransaction: (_, transaction) => checks.onTransaction(transaction),
    });
  return Object.fromEntries(liveNames.map((name) => [name, providerOf(name)]));
}

const busyTables = [
  'payments',
  'refunds',
  'reversals',
  'disbursements',
  'disbursement_batches',
  'settlements',
  'operator_callbacks',
  'simulator_transactions',
];

function dueRows({ mirror }: World): string[] {
  return busyTables.flatMap((table) =>
    [...mirror.rows(table).values()]
      .filter(({ row }) => row.due_at !== null)
      .map(({ row }) => row.id ?? subjectOf(mirror, row.reference)),
  );
}

/** The reference of a disbursement is not its id. */
const subjectOf = (mirror: Mirror, reference: string): string =>
  mirror.where('disbursements', 'reference', reference)[0]?.row.id ?? reference;

/**
 * A refund waits while a person looks into what else came back of its payment, and a batch while a person looks into
 * one of its disbursements.
 */
function isHeldUp({ mirror }: World, listed: ReadonlySet<string>, id: string): boolean {
  const disbursements = [...mirror.rows('disbursements').values()];
  if (disbursements.some(({ row }) => row.batch_id === id && listed.has(row.id))) return true;
  const paymentId = mirror.get('refunds', id)?.row.payment_id;
  const reservedMinor = mirror.get('payments', paymentId)?.row.late_refund_minor;
  return listed.has(paymentId) && Number(reservedMinor) > 0;
}

function isAtRest(world: World): boolean {
  return (
    liveNames.every((name) => world.providers[name].isIdle) &&
    busyTables.every((table) => world.mirror.firstDueMs(table) === undefined)
  );
}

async function makeTenants(store: Store): Promise<Tenant[]> {
  const random: Random = seeded(0);
  const ids = seededIds(random);
  const tenants: Tenant[] = [];
  const merchants = { Loja: 0n, Mercado: 20_000n };
  for (const [name, keptMinor] of Object.entries(merchants)) {
    const merchantId = ids.next(startMs);
    const text =
      'INSERT INTO merchants (id, name, created_at, disbursements_allowed, keep_balances) VALUES ($1, $2, now(), true, $3) ON CONFLICT DO NOTHING';
    const kept = keptMinor === 0n ? {} : { CVE: keptMinor.toString() };
    await store.query({ text }, [merchantId, name, JSON.stringify(kept)]);
    for (const mode of ['live', 'test'] as const) {
      const id = ids.next(startMs);
      const tenant =
        'INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $2, $3, now()) ON CONFLICT DO NOTHING';
      await store.query({ text: tenant }, [id, merchantId, mode]);
      tenants.push({ id, merchantId, mode, keptMinor });
    }
  }
  return tenants;
}
