import { recordBankReference } from '../../money/settlements/bank-reference.ts';
import type { Settlement } from '../../money/settlements/settlement.ts';
import { findSettlement } from '../../money/settlements/store.ts';
import { writeAuditRecord } from '../../platform/audit/record.ts';
import { invalidState } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { isProposal } from './bank-statement.ts';
import { lockLine, markConfirmed, removeLines } from './store.ts';
import type { UploadDependencies } from './upload.ts';

/**
 * A person confirms that lines are the payouts that were proposed for them: their references of the bank are stored,
 * all of them or none. Nothing is completed. Returns the payouts.
 * @throws INVALID_STATE a line proposes nothing any more
 */
export function confirmLines(
  dependencies: UploadDependencies,
  statementId: string,
  lines: readonly number[],
): Promise<Settlement[]> {
  const { clock, actor = 'gateway' } = dependencies;
  return dependencies.database.transaction(async (transaction) => {
    const settlements: Settlement[] = [];
    // In one order, so that two people do not wait for each other.
    for (const line of [...new Set(lines)].sort((one, other) => one - other)) {
      const { seen, reference } = await proposalOf(transaction, statementId, line);
      await markConfirmed(transaction, { statementId, line }, { actor, nowMs: clock.nowMs() });
      settlements.push(await recordBankReference(transaction, dependencies, { seen, reference }));
    }
    if (settlements.length === 0) return [];
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'bank_statement.matched',
      subject: formatId('bs', statementId),
      detail: { settlements: settlements.map(({ id }) => formatId('se', id)) },
    });
    return settlements;
  });
}

async function proposalOf(
  transaction: Queryable,
  statementId: string,
  number: number,
): Promise<{ seen: Settlement; reference: string }> {
  const line = await lockLine(transaction, statementId, number);
  const { tenantId, settlementId } = line ?? {};
  if (!line || !isProposal(line) || !tenantId || !settlementId) {
    throw invalidState(`Line ${number} proposes no payout, or is confirmed already.`);
  }
  const seen = await findSettlement(transaction, tenantId, settlementId);
  if (!seen || seen.bankReference !== null) {
    throw invalidState(`The payout of line ${number} has another reference of the bank by now.`);
  }
  return { seen, reference: line.bankReference };
}

/** Lines that only had the amount of a payout are of other parties: they are removed. Returns how many. */
export function dismissLines(
  dependencies: UploadDependencies,
  statementId: string,
  lines: readonly number[],
): Promise<number> {
  return dependencies.database.transaction(async (transaction) => {
    const count = await removeLines(transaction, statementId, lines);
    if (count === 0) return 0;
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'bank_statement.matched',
      subject: formatId('bs', statementId),
      detail: { ofOthers: count },
    });
    return count;
  });
}
