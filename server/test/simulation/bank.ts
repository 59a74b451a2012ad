import type { Payout } from '../../src/money/settlements/payout-file.ts';
import type { Settlement } from '../../src/money/settlements/settlement.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import type { Trace } from './trace.ts';

export interface PayoutFile {
  settlementId: string;
  /** The debits that the file pays out. */
  units: ReadonlySet<string>;
  /** A person has told the bank not to pay the file. */
  isWithdrawn: boolean;
}

export interface BankDependencies {
  trace: Trace;
  isLive(tenantId: string): boolean;
  unitsOf(settlementId: string): ReadonlySet<string>;
  /** A new file appears in the folder; the bank will pay it. */
  onFile(actor: Actor, file: PayoutFile, files: readonly PayoutFile[]): void;
}

/** The folder of payout files, and which of them a person has withdrawn at the bank. */
export class Bank {
  readonly files = new Map<string, PayoutFile>();
  #dependencies: BankDependencies;

  constructor(dependencies: BankDependencies) {
    this.#dependencies = dependencies;
  }

  /** The process may stall before the file counts. */
  payoutOf(actor: Actor, scheduler: Scheduler): Payout {
    return {
      referenceOf: ({ id }) => `${id}.csv`,
      pay: async (settlement, reference, mayCount) => {
        await scheduler.turn(actor, 'a file of settlements', async () => {});
        if (!mayCount()) throw new Error('it is too late to write the file');
        this.#write(actor, settlement, reference);
      },
      withdraw: async (reference) => {
        const file = this.files.get(reference);
        if (file) file.isWithdrawn = true;
        return file && reference;
      },
    };
  }

  /** Stops the bank from paying the current file; it will still pay a file written later. */
  withdraw(settlementId: string): void {
    const file = this.files.get(`${settlementId}.csv`);
    if (file) file.isWithdrawn = true;
  }

  #write(actor: Actor, { id, tenantId, netMinor }: Settlement, reference: string): void {
    const { trace } = this.#dependencies;
    trace.add(actor.name, `writes the payout file of ${trace.nameOf('S', id)}, ${netMinor}`);
    if (!this.#dependencies.isLive(tenantId)) return;
    const file = { settlementId: id, units: this.#dependencies.unitsOf(id), isWithdrawn: false };
    const others = [...this.files.values()].filter((each) => each.settlementId !== id);
    this.files.set(reference, file);
    this.#dependencies.onFile(actor, file, others);
  }
}
