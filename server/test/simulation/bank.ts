import type { Payout } from '../../src/money/settlements/payout-file.ts';
import type { Settlement } from '../../src/money/settlements/settlement.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import type { Trace } from './trace.ts';

export interface PayoutFile {
  settlementId: string;
  /** The debits that it pays out. */
  units: ReadonlySet<string>;
  /** A person has told the bank not to pay it. */
  isWithdrawn: boolean;
}

export interface BankDependencies {
  trace: Trace;
  isLive(tenantId: string): boolean;
  unitsOf(settlementId: string): ReadonlySet<string>;
  /** A file appears in the folder, which the bank is going to pay. */
  onFile(actor: Actor, file: PayoutFile, files: readonly PayoutFile[]): void;
}

/** The folder of payout files, with what a person has told the bank of each. */
export class Bank {
  readonly files = new Map<string, PayoutFile>();
  #dependencies: BankDependencies;

  constructor(dependencies: BankDependencies) {
    this.#dependencies = dependencies;
  }

  /** A process may be held up before the file counts. */
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

  /** The bank will not pay the file that lies there now; one that is written later it will. */
  withdraw(settlementId: string): void {
    const file = this.files.get(`${settlementId}.csv`);
    if (file) file.isWithdrawn = true;
  }

  #write(actor: Actor, { id, tenantId, netMinor }: Settlement, reference: string): void {
    const { trace } = this.#dependencies;
    trace.tell(actor.name, `writes the payout file of ${trace.nameOf('S', id)}, ${netMinor}`);
    if (!this.#dependencies.isLive(tenantId)) return;
    const file = { settlementId: id, units: this.#dependencies.unitsOf(id), isWithdrawn: false };
    const others = [...this.files.values()].filter((each) => each.settlementId !== id);
    this.files.set(reference, file);
    this.#dependencies.onFile(actor, file, others);
  }
}
