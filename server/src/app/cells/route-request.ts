import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../platform/errors/errors.ts';
import { type AddressLimiter, networkOf } from '../../platform/http/address-limit.ts';
import { outageOf } from '../../platform/observability/outage.ts';
import { monotonicClock } from '../../platform/process/clock.ts';
import { homeName } from '../../tenants/cells/cell.ts';
import { cacheKeyOf, type Directory, directoryBusy } from '../../tenants/cells/cell-directory.ts';
import type { CellLookup } from '../../tenants/cells/cell-directory-store.ts';
import { Recent } from '../../tenants/merchants/expiring-set.ts';
import type { StaffProof } from './staff-proof.ts';

export interface FindCellOptions {
  directory: Directory;
  /** Limits addresses that request unknown keys or links; undefined without a limit. */
  unknown: AddressLimiter | undefined;
  staffProof: StaffProof;
}

/** Keys and links are stored before anybody sees them, so this cached "unknown" only affects guesses. */
const unknownMs = 5_000;
const maxCachedUnknown = 10_000;

const tooManyGuesses = new DomainError(
  'RATE_LIMITED',
  'Too many requests with unknown keys or links come from this address.',
);

/** Finds the cell of a request; the home's if no cell has the object, since its routes answer that. */
export type FindCell = (
  lookup: CellLookup,
  request: IncomingMessage,
  address: string | undefined,
) => Promise<string>;

/**
 * Asks the directory about keys that this process does not know. An unknown key makes the directory
 * ask every cell, so the address pays for it.
 */
export function makeFindCell({ directory, unknown: limit, staffProof }: FindCellOptions): FindCell {
  const unknown = new Recent({ ttlMs: unknownMs, maxEntries: maxCachedUnknown });
  const pending = new Map<string, Promise<string>>();

  async function findUnlimited(lookup: CellLookup, prove: (() => Promise<boolean>) | undefined) {
    if (prove && !(await prove())) return { isFree: false };
    const cell = await directory.find(lookup);
    if (cell === undefined) unknown.add(cacheKeyOf(lookup), monotonicClock.nowMs());
    return { cell, isFree: prove !== undefined || cell !== undefined };
  }

  async function findOrCharge(
    lookup: CellLookup,
    address: string | undefined,
    prove?: () => Promise<boolean>,
  ): Promise<string> {
    if (limit && !(await limit.take(address, monotonicClock.nowMs())).allowed) throw tooManyGuesses;
    const refundCharge = () => limit?.giveBack(address, monotonicClock.nowMs());
    try {
      const { cell, isFree } = await findUnlimited(lookup, prove);
      if (isFree) refundCharge();
      return cell ?? homeName;
    } catch (error) {
      // The client is not at fault for an outage of the home or for too many concurrent look-ups,
      // and staff do not guess. A client could guess while a further cell is unreachable, so that
      // is charged.
      if (error === directoryBusy || outageOf(error) || prove) refundCharge();
      throw error;
    }
  }

  /** Concurrent requests with the same new key share one look-up, and one charge. */
  function findOnce(lookup: CellLookup, address: string | undefined): Promise<string> {
    const name = `${networkOf(address ?? '')} ${cacheKeyOf(lookup)}`;
    const pendingFind = pending.get(name);
    if (pendingFind) return pendingFind;
    const finding = findOrCharge(lookup, address).finally(() => pending.delete(name));
    pending.set(name, finding);
    return finding;
  }

  return async (lookup, request, address) => {
    if (unknown.has(cacheKeyOf(lookup), monotonicClock.nowMs())) return homeName;
    if (lookup.kind !== 'OBJECT') return findOnce(lookup, address);
    const prove = staffProof(request, address);
    return prove ? findOrCharge(lookup, address, prove) : homeName;
  };
}
