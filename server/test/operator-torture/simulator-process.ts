import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { zimbo } from '../support/process.ts';

export interface SimulatedTransaction {
  number: number;
  type: 'merchantpay' | 'reversal' | 'disbursement';
  transactionReference: string;
  requestingOrganisationTransactionReference: string;
  originalTransactionReference?: string;
  transactionStatus: 'pending' | 'completed' | 'failed';
  amountMinor: string;
  currency: string;
}

export interface SimulatedTotals {
  totals: {
    currency: string;
    debitedMinor: string;
    reversedMinor: string;
    disbursedMinor: string;
    pending: number;
    /** Failed disbursements that will succeed. */
    succeedingLate: number;
  }[];
  openCallbacks: number;
  /** Callbacks last refused with 429, which repeat for minutes; the run does not wait for them. */
  refusedCallbacks: number;
  faults: Record<string, number>;
}

export interface SimulatedCallback {
  number: number;
  /** The payment, refund, reversal or disbursement that it reports, by its reference. */
  correlationId: string;
  told: 'outcome' | 'pending' | 'opposite' | 'fee';
  attempts: number;
  /** The status, or the reason without one. */
  lastAnswer: string;
  /** When it was first sent, in milliseconds since 1970, with a fraction. */
  sentAtMs: number;
}

/** The operator simulator as a team runs it; it can be killed, and comes back at the same address. */
export class SimulatorProcess {
  /** The settings that connect a gateway to it. */
  readonly settings: Record<string, string>;
  #child: ChildProcess;
  #options: SimulatorOptions;
  #origin: string;
  /** Faults before it was killed, because its counters restart. */
  #earlierFaults: Record<string, number> = {};

  private constructor(started: Started, options: SimulatorOptions) {
    this.#child = started.child;
    this.settings = started.settings;
    const { origin, port } = new URL(started.settings.OPERATOR_CVMOVEL_URL!);
    this.#origin = origin;
    this.#options = { ...options, port };
  }

  /** @param options of the command, by name */
  static async start(options: SimulatorOptions): Promise<SimulatorProcess> {
    return new SimulatorProcess(await spawned({ ...options, port: 0 }), options);
  }

  /** Kills it, and restarts it on its data. */
  async restart(): Promise<void> {
    this.#earlierFaults = (await this.totals()).faults;
    await this.stop();
    this.#child = (await spawned(this.#options)).child;
  }

  async totals(): Promise<SimulatedTotals> {
    const totals = await this.#get<SimulatedTotals>('/_simulator/totals');
    const faults = { ...this.#earlierFaults };
    for (const [name, count] of Object.entries(totals.faults)) {
      faults[name] = (faults[name] ?? 0) + count;
    }
    return { ...totals, faults };
  }

  transactions(): Promise<SimulatedTransaction[]> {
    return this.#all<SimulatedTransaction>('transactions');
  }

  /** The sent callbacks. */
  callbacks(): Promise<SimulatedCallback[]> {
    return this.#all<SimulatedCallback>('callbacks');
  }

  async #all<Item extends { number: number }>(name: string): Promise<Item[]> {
    const all: Item[] = [];
    for (;;) {
      const after = all.at(-1)?.number ?? 0;
      const page = await this.#get<Record<string, Item[]> & { hasMore: boolean }>(
        `/_simulator/${name}?after=${after}`,
      );
      all.push(...page[name]!);
      if (!page.hasMore) return all;
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }

  async #get<Body>(path: string): Promise<Body> {
    return (await fetch(this.#origin + path)).json() as Promise<Body>;
  }
}

type SimulatorOptions = Record<string, string | number>;

interface Started {
  child: ChildProcess;
  settings: Record<string, string>;
}

/** Resolves once it listens. */
async function spawned(options: SimulatorOptions): Promise<Started> {
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  const child = spawn(process.execPath, [zimbo, 'operator-simulator', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // In a process group of its own, so that Ctrl-C does not reach it.
    detached: true,
  });
  let printed = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    printed += chunk.toString();
    if (/_CURRENCIES=.*\n/.test(printed)) break;
  }
  const found = [...printed.matchAll(/^export (OPERATOR_\w+)=(.*)$/gm)];
  if (found.length === 0) throw new Error(`the operator simulator does not start: ${printed}`);
  return { child, settings: Object.fromEntries(found.map(([, name, value]) => [name!, value!])) };
}
