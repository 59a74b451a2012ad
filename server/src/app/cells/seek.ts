import type { IncomingMessage } from 'node:http';
import { homeName } from '../../cells/cell.ts';
import { type Directory, nameOf } from '../../cells/directory.ts';
import type { Sought } from '../../cells/place-store.ts';
import { monotonicClock } from '../../clock.ts';
import { DomainError } from '../../errors.ts';
import type { AddressLimiter } from '../../http/address.ts';
import { Recent } from '../../merchants/recent.ts';
import type { StaffProof } from './staff-proof.ts';

export interface SeekOptions {
  directory: Directory;
  /** Of addresses that ask for what nobody knows; undefined where they are not limited. */
  unknown: AddressLimiter | undefined;
  staffProof: StaffProof;
}

/** What was given out is known before anybody sees it, so that only guesses are told for so long that nobody has it. */
const unknownMs = 5_000;
const mostUnknown = 10_000;

const tooMany = new DomainError(
  'RATE_LIMITED',
  'Too many requests with keys or links that nobody knows come from this address.',
);

/** The cell of what a request is about; the home's, which says no in its own words, where nobody has it. */
export type Seek = (
  sought: Sought,
  request: IncomingMessage,
  address: string | undefined,
) => Promise<string>;

/** Asks the directory for what this process does not know. What nobody has is asked of every cell, so it has a price. */
export function makeSeek({ directory, unknown: limit, staffProof }: SeekOptions): Seek {
  const unknown = new Recent({ ttlMs: unknownMs, maxEntries: mostUnknown });

  async function ask(sought: Sought, prove: (() => Promise<boolean>) | undefined) {
    if (prove && !(await prove())) return { isPaid: false };
    const cell = await directory.find(sought);
    if (cell === undefined) unknown.add(nameOf(sought), monotonicClock.nowMs());
    return { cell, isPaid: prove !== undefined || cell !== undefined };
  }

  return async (sought, request, address) => {
    if (unknown.has(nameOf(sought), monotonicClock.nowMs())) return homeName;
    const prove = sought.kind === 'THING' ? staffProof(request, address) : undefined;
    if (sought.kind === 'THING' && !prove) return homeName;
    if (limit && !(await limit.take(address, monotonicClock.nowMs())).allowed) throw tooMany;
    const giveBack = () => limit?.giveBack(address, monotonicClock.nowMs());
    try {
      const { cell, isPaid } = await ask(sought, prove);
      if (isPaid) giveBack();
      return cell ?? homeName;
    } catch (error) {
      // That nobody could say so is not the fault of whoever asked.
      giveBack();
      throw error;
    }
  };
}
