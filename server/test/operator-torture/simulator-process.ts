import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { zimbo } from '../process.ts';

export interface SimulatedTransaction {
  number: number;
  type: 'merchantpay' | 'reversal';
  transactionReference: string;
  requestingOrganisationTransactionReference: string;
  originalTransactionReference?: string;
  transactionStatus: 'pending' | 'completed' | 'failed';
  amountMinor: string;
  currency: string;
}

export interface SimulatedTotals {
  totals: { currency: string; debitedMinor: string; reversedMinor: string; pending: number }[];
  openCallbacks: number;
  faults: Record<string, number>;
}

/** The operator simulator as a team runs it, with shorter times. */
export class SimulatorProcess {
  /** What configures a gateway for it. */
  readonly settings: Record<string, string>;
  #child: ChildProcess;
  #origin: string;

  private constructor(child: ChildProcess, settings: Record<string, string>) {
    this.#child = child;
    this.settings = settings;
    this.#origin = new URL(settings.OPERATOR_CVMOVEL_URL!).origin;
  }

  static async start(folder: string, faults: string, seed: number): Promise<SimulatorProcess> {
    const times = {
      'prompt-ms': 40,
      'confirm-ms': 160,
      'late-confirm-ms': 16_000,
      'expiry-ms': 20_000,
      'late-callback-ms': 3_000,
      'slow-ms': 1_500,
      'silence-ms': 5_000,
    };
    const options = { ...times, port: 0, 'data-dir': join(folder, 'simulator'), faults, seed };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]);
    const child = spawn(process.execPath, [zimbo, 'operator-simulator', ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
      // Ctrl-C is for the torture.
      detached: true,
    });
    let printed = '';
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      printed += chunk.toString();
      if (/_CURRENCIES=.*\n/.test(printed)) break;
    }
    const found = [...printed.matchAll(/^export (OPERATOR_\w+)=(.*)$/gm)];
    if (found.length === 0) throw new Error(`the operator simulator does not start: ${printed}`);
    const settings = Object.fromEntries(found.map(([, name, value]) => [name!, value!]));
    return new SimulatorProcess(child, settings);
  }

  totals(): Promise<SimulatedTotals> {
    return this.#get('/_simulator/totals');
  }

  async transactions(): Promise<SimulatedTransaction[]> {
    const all: SimulatedTransaction[] = [];
    for (;;) {
      const after = all.at(-1)?.number ?? 0;
      const page = await this.#get<{ transactions: SimulatedTransaction[]; hasMore: boolean }>(
        `/_simulator/transactions?after=${after}`,
      );
      all.push(...page.transactions);
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
