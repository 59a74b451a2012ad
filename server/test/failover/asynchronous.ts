import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectLedger } from '../../src/money/ledger/check.ts';
import { openDatabase } from '../../src/platform/postgres/database.ts';
import { parseId } from '../../src/platform/values/ids.ts';
import { type Disbursed, Load } from '../operator-torture/load.ts';
import { SimulatorProcess } from '../operator-torture/simulator-process.ts';
import { carelessness, judge, rest, simulatorTimes } from '../operator-torture/torture.ts';
import { silentLog } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { Replication } from '../support/replication.ts';
import { seeded } from '../torture/random.ts';
import { aborted } from '../torture/torture.ts';
import { findLosses, type Losses } from './lost.ts';
import { World } from './world.ts';

export interface AsynchronousOptions {
  rounds: number;
  seed: number;
  /** How many rounds pass before a search for losses. */
  restEvery: number;
  tell: (line: string) => void;
  /** Ends the run at once, and takes everything down. */
  signal?: AbortSignal;
}

export interface AsynchronousTally extends Losses {
  /**
   * Requests sent before the primary died that the promoted standby calls unsent; the gateway
   * queried them and did not resend them.
   */
  setBack: number;
  /** Acknowledged disbursements that the new primary lacks: their requests were repeated under their keys. */
  disbursementsRepeated: number;
}

/** More than a round reaches before its limits of time. */
const mostPaymentsPerRound = 100_000;
const paymentsAfterPromotion = 50;
const disturbed = 0.1;
const loadLimitMs = 60_000;
const restLimitMs = 150_000;

/**
 * Fail-overs to a standby that lags behind, with an external operator that remembers everything and
 * does not deduplicate. @throws BrokenPromise naming the broken promises
 */
export async function failOverBehind(options: AsynchronousOptions): Promise<AsynchronousTally> {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-operator-'));
  const simulator = await SimulatorProcess.start({
    ...simulatorTimes,
    ...carelessness,
    'data-dir': folder,
  });
  const ends: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true }),
    () => simulator.stop(),
  ];
  try {
    const world = await World.start(await Replication.start(), {
      mode: 'live',
      environment: {
        ...simulator.settings,
        DISBURSEMENTS: 'on',
        DISBURSEMENT_FEE_CVMOVEL: '50+100',
      },
    });
    ends.push(() => world.stop());
    const allow = 'UPDATE merchants SET disbursements_allowed = true';
    await world.look((database) => database.query({ text: allow }));
    const run = new Run(options, world, simulator);
    ends.push(async () => run.end());
    return await Promise.race([run.all(), aborted(options.signal)]);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

class Run {
  #options: AsynchronousOptions;
  #world: World<Replication>;
  #simulator: SimulatorProcess;
  #acknowledged: string[] = [];
  #setBack = 0;
  #disbursementsRepeated = 0;
  #load: Load | undefined;

  constructor(
    options: AsynchronousOptions,
    world: World<Replication>,
    simulator: SimulatorProcess,
  ) {
    this.#options = options;
    this.#world = world;
    this.#simulator = simulator;
  }

  async all(): Promise<AsynchronousTally> {
    const { rounds, restEvery } = this.#options;
    let losses: Losses | undefined;
    for (let round = 1; round <= rounds; round++) {
      await this.#round(round);
      if (round % restEvery === 0 || round === rounds) losses = await this.#rest();
    }
    const disbursementsRepeated = this.#disbursementsRepeated;
    return { ...losses!, setBack: this.#setBack, disbursementsRepeated };
  }

  /** Otherwise its clients would continue after a failed round. */
  end(): void {
    this.#load?.end();
  }

  /** Cuts the line to the standby, kills the primary some payments later, and promotes the standby. */
  async #round(round: number): Promise<void> {
    const { rounds, seed, tell } = this.#options;
    const { gateway, key, servers: replication } = this.#world;
    const random = seeded(seed, round);
    const load = new Load({
      url: gateway.url,
      key,
      random,
      payments: mostPaymentsPerRound,
      disturbed,
      firstAmountMinor: 10_001 + round * mostPaymentsPerRound,
      onAcknowledged: () => {},
      disburses: true,
    });
    this.#load = load;
    const reach = (count: number) =>
      eventually(`${count} payments`, () => load.acknowledged.length >= count, loadLimitMs);
    const running = load.run();
    const cutAfter = 40 + random.below(60);
    await reach(cutAfter);
    await cutBeforeOneIsSent(replication);
    await reach(cutAfter + 10 + random.below(60));
    // No further callback will come: the lost database had answered it.
    await eventually(
      'an acknowledged debit that the standby lacks',
      () => hasDebitToLose(replication, load.acknowledged),
      loadLimitMs,
    );
    await eventually(
      'an acknowledged disbursement that the standby lacks',
      async () => (await lostOn(replication.standby, load.disbursed)).length > 0,
      loadLimitMs,
    );
    await eventually(
      'a request was sent that the standby calls unsent',
      async () => (await unsentThough(replication, this.#simulator)) > 0,
      loadLimitMs,
    );
    await replication.primary.kill();
    const setBack = await unsentThough(replication, this.#simulator);
    await replication.promote();
    await reach(load.acknowledged.length + paymentsAfterPromotion);
    load.finish();
    await running;
    await this.#repeatLost(load);
    await replication.rebuild();
    this.#setBack += setBack;
    this.#acknowledged.push(...load.acknowledged);
    judge([...gateway.deaths, ...load.refused.filter((words) => !isOfLoss(words))]);
    tell(
      `round ${round} of ${rounds}  ${load.acknowledged.length} acknowledged; sent, and unsent by the standby: ${setBack}`,
    );
  }

  /** Like a merchant who asks for a disbursement and gets 404. */
  async #repeatLost(load: Load): Promise<void> {
    const lost = await lostOn(this.#world.servers.primary, load.disbursed);
    const covered = await Promise.all(lost.map((one) => load.repeat(one)));
    this.#disbursementsRepeated += covered.filter(Boolean).length;
    const { tell } = this.#options;
    tell(`${lost.length} disbursements lost, and ${covered.filter(Boolean).length} repeated`);
  }

  /** Waits until nothing is in flight, then looks for losses as a person would. */
  async #rest(): Promise<Losses> {
    const { tell } = this.#options;
    const { gateway, environment, folder, servers } = this.#world;
    const database = openDatabase({
      url: servers.primaryUrl,
      log: silentLog,
      maxConnections: 3,
      connectTimeoutMs: 30_000,
    });
    try {
      const simulator = this.#simulator;
      const acknowledged = this.#acknowledged;
      const settle = () => rest({ database, simulator, gateway, tell, limitMs: restLimitMs });
      const { losses, broken } = await findLosses({
        database,
        simulator,
        acknowledged,
        environment,
        folder,
        settle,
      });
      const { problems } = await inspectLedger(database);
      judge([...broken, ...problems.map(({ message }) => `the ledger: ${message}`)]);
      tell(
        `recovered: ${losses.lost} of ${losses.acknowledged} lost, ${losses.held} debits held, ${losses.givenBack} gone back before, ${losses.listed} returns listed`,
      );
      return losses;
    } finally {
      await database.close();
    }
  }
}

/** Lost payments get 404, and set-back payments are not debited again yet; later checks cover both. */
const isOfLoss = (words: string) =>
  /: 404 /.test(words) || (/refunds: 409 /.test(words) && words.includes('"INVALID_STATE"'));

/** Cuts the line to the standby while the standby has an unsent payment. */
async function cutBeforeOneIsSent(replication: Replication): Promise<void> {
  const { line } = replication.primary;
  await eventually(
    'the standby has an unsent payment',
    async () => {
      line.stall(true);
      await eventually('the standby has replayed everything received', () =>
        hasReplayed(replication),
      );
      if ((await unsentOn(replication)).size > 0) return true;
      line.stall(false);
      return false;
    },
    loadLimitMs,
  );
  replication.cut();
  line.stall(false);
}

async function hasReplayed({ standby }: Replication): Promise<boolean> {
  const text = 'SELECT pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn() AS done';
  return (await standby.admin(text))[0]?.done === true;
}

async function hasDebitToLose(
  { primary, standby }: Replication,
  acknowledged: readonly string[],
): Promise<boolean> {
  const told = new Set(acknowledged.map((id) => parseId('pi', id)));
  const known = new Set((await standby.zimbo('SELECT id FROM payments')).map(({ id }) => id));
  const debited = await primary.zimbo("SELECT id FROM payments WHERE status = 'DEBITED'");
  return debited.some(({ id }) => told.has(id as string) && !known.has(id));
}

/** Of acknowledged disbursements, those that a server lacks. */
async function lostOn(
  server: Pick<Replication['primary'], 'zimbo'>,
  disbursed: readonly Disbursed[],
): Promise<Disbursed[]> {
  const known = new Set((await server.zimbo('SELECT id FROM disbursements')).map(({ id }) => id));
  return disbursed.filter(({ id }) => !known.has(parseId('di', id)));
}

/** How many payments the operator has that the standby calls unsent. */
async function unsentThough(
  replication: Replication,
  simulator: SimulatorProcess,
): Promise<number> {
  const unsent = await unsentOn(replication);
  const transactions = await simulator.transactions();
  return transactions.filter((one) => unsent.has(one.requestingOrganisationTransactionReference))
    .length;
}

async function unsentOn({ standby }: Replication): Promise<Set<unknown>> {
  const rows = await standby.zimbo('SELECT id FROM payments WHERE sent_at IS NULL');
  return new Set(rows.map(({ id }) => id));
}

/** Nothing here can restore the merchants' keys; the gateway's operators must know that. */
export function riskOf({
  acknowledged,
  lost,
  lostAndDebited,
  held,
  givenBack,
  listed,
  setBack,
  disbursementsRepeated,
}: AsynchronousTally): string[] {
  return [
    `Acknowledged: ${acknowledged}. Lost: ${lost}, of which ${lostAndDebited} were debited at the operator, and ${givenBack} of these given back.`,
    `Lost disbursements repeated under their keys: ${disbursementsRepeated}. Each was paid once.`,
    `Found by zimbo operators recover, and in front of a person: ${held} debits, and ${listed} returns or disbursements. zimbo reconcile finds the same, and nothing else.`,
    `Sent, though unsent by what the standby had: ${setBack}. The operator was asked about each, and none was sent again.`,
    `What remains: with ${lost} payments their idempotency keys were lost. Repeating such a request makes a second payment, and the customer may be debited again.`,
  ];
}
