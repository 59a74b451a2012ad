import type { Invariant } from './broken-invariant.ts';
import { isLive, liveNames, type World } from './dependencies.ts';
import type { Mirrored, Row } from './mirror.ts';
import type { Transaction } from './operator-records.ts';

export interface DisbursementCheckDependencies {
  world: () => World;
  broken: (invariant: Invariant, message: string, names: readonly string[]) => void;
  /** Whether an operator has reported the outcome of a reference definitely. */
  isDefinite: (reference: string) => boolean;
  /** When the database was last set back. */
  setBackMs: () => number;
}

const open = ['CREATED', 'PROCESSING'];

/** Checks that what merchants pay out is theirs, leaves once, and is never left alone. */
export class DisbursementChecks {
  #dependencies: DisbursementCheckDependencies;
  /** References whose outcome a person has entered. */
  #findings = new Set<string>();
  #paid = new Map<string, Transaction>();

  constructor(dependencies: DisbursementCheckDependencies) {
    this.#dependencies = dependencies;
  }

  /** A person enters the operator's answer. */
  onFinding(reference: string): void {
    this.#findings.add(reference);
  }

  /** An operator has paid. */
  onPayout(transaction: Transaction): void {
    const { world, broken } = this.#dependencies;
    const { trace, counts } = world();
    const { reference, id } = transaction;
    counts.add('disbursement paid out');
    const first = this.#paid.get(reference);
    if (!first) {
      this.#paid.set(reference, transaction);
      return;
    }
    if (this.wasHidden(reference)) {
      counts.add('disbursement paid twice, which no query could tell');
      return;
    }
    const name = trace.nameOf('D', reference);
    broken('disbursed-once', `${name} was paid by ${first.id} and again by ${id}`, [
      name,
      first.id,
      id,
    ]);
  }

  onChange(table: string, before: Mirrored | undefined, { row }: Mirrored): void {
    if (table === 'unsettled') this.#checkBalance(before?.row, row);
    if (table === 'settlements' && !before) this.#checkKept(row);
    if (table !== 'disbursements' || row.status === before?.row.status) return;
    const { world, broken, isDefinite } = this.#dependencies;
    const name = world().trace.nameOf('D', row.id);
    // One that is PROCESSING without it could certainly not be delivered.
    if (row.status === 'CANCELLED' && row.sent_at !== null) {
      broken('disbursed-once', `${name} was cancelled after it had been sent`, [name]);
    }
    if (row.status !== 'FAILED' || row.sent_at === null || !isLive(world(), row.tenant_id)) return;
    if (isDefinite(row.reference) || this.#findings.has(row.reference)) return;
    broken('watched', `${name} was sent and is FAILED, which no answer says`, [name]);
  }

  /** Checks what holds only when nothing is in flight. */
  atRest(listed: ReadonlySet<string>): void {
    const { world, broken } = this.#dependencies;
    const { mirror, trace } = world();
    for (const { row } of mirror.rows('disbursements').values()) {
      if (!open.includes(row.status) || row.due_at !== null || listed.has(row.id)) continue;
      const name = trace.nameOf('D', row.id);
      broken('rest', `${name} is ${row.status}, and neither due nor listed`, [name]);
    }
    for (const { row } of mirror.rows('disbursement_batches').values()) {
      if (row.status === 'COMPLETED' || row.due_at !== null) continue;
      const name = trace.nameOf('B', row.id);
      broken('rest', `${name} is ${row.status}, and not due`, [name]);
    }
  }

  /**
   * The operator paid another amount than we asked for, and a person has entered its transaction: only the operator's
   * statement tells the difference.
   */
  isLeftToStatement({ ids }: { ids: readonly string[] }): boolean {
    const { mirror } = this.#dependencies.world();
    return ids.some((id) => {
      const row = mirror.get('disbursements', id)?.row;
      const paid = row && this.#paid.get(row.reference);
      if (!paid || !row.by_hand) return false;
      return paid.amountMinor !== BigInt(row.amount_minor);
    });
  }

  #checkBalance(before: Row | undefined, row: Row): void {
    const { world, broken } = this.#dependencies;
    if (BigInt(row.disbursement_minor) <= BigInt(before?.disbursement_minor ?? 0)) return;
    const { gross_minor: gross, fee_minor: fee, refund_minor: refund } = row;
    // A settlement that fails brings all sums of its period back.
    if (before?.gross_minor !== gross) return;
    const left = BigInt(gross) - BigInt(fee) - BigInt(refund) - BigInt(row.disbursement_minor);
    if (left >= 0n) return;
    const merchant = world().tenants.find(({ id }) => id === row.tenant_id)?.mode ?? row.tenant_id;
    broken('balance', `a disbursement leaves ${left} in the balance of ${merchant}`, []);
  }

  #checkKept({ id, tenant_id: tenantId, kept_minor: kept }: Row): void {
    const { world, broken } = this.#dependencies;
    const { tenants, trace, counts } = world();
    const due = tenants.find((each) => each.id === tenantId)?.keptMinor ?? 0n;
    if (due > 0n) counts.add('settlement that leaves money in the balance');
    if (BigInt(kept) === due) return;
    const name = trace.nameOf('S', id);
    broken('balance', `${name} leaves ${kept} in the balance, and not ${due}`, [name]);
  }

  /**
   * Since the set-back that made the gateway forget the first request, the operator has truthfully said that it does
   * not know the reference: the first was still in its queue. No gateway can tell, unless the operator recognises
   * references.
   */
  wasHidden(reference: string): boolean {
    const { world, setBackMs } = this.#dependencies;
    const { providers } = world();
    return liveNames.some((name) => {
      const deniedAtMs = providers[name].deniedAtMs.get(reference);
      return deniedAtMs !== undefined && setBackMs() > 0 && deniedAtMs >= setBackMs();
    });
  }
}
