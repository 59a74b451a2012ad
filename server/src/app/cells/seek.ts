import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../platform/errors/errors.ts';
import { type AddressLimiter, networkOf } from '../../platform/http/address-limit.ts';
import { outageOf } from '../../platform/observability/outage.ts';
import { monotonicClock } from '../../platform/process/clock.ts';
import { homeName } from '../../tenants/cells/cell.ts';
import { type Directory, nameOf, notNow } from '../../tenants/cells/directory.ts';
import type { Sought } from '../../tenants/cells/place-store.ts';
import { Recent } from '../../tenants/merchants/expiring-set.ts';
import type { StaffProof } from './staff-proof.ts';

export interface SeekOptions {
  directory: Directory;
  /** Of addresses that ask for what nobody knows; undefined where they are not limited. */
  unknown: AddressLimiter | undefined;
  staffProof: StaffProof;
}

/** What was given out is known before anybody sees it, so that only guesses are told for so long that nobody has it. */
const unknownMs = 5_000;
const mostRemembered = 10_000;

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
  const unknown = new Recent({ ttlMs: unknownMs, maxEntries: mostRemembered });
  const pending = new Map<string, Promise<string>>();

  async function ask(sought: Sought, prove: (() => Promise<boolean>) | undefined) {
    if (prove && !(await prove())) return { isPaid: false };
    const cell = await directory.find(sought);
    if (cell === undefined) unknown.add(nameOf(sought), monotonicClock.nowMs());
    return { cell, isPaid: prove !== undefined || cell !== undefined };
  }

  async function look(
    sought: Sought,
    address: string | undefined,
    prove?: () => Promise<boolean>,
  ): Promise<string> {
    if (limit && !(await limit.take(address, monotonicClock.nowMs())).allowed) throw tooMany;
    const giveBack = () => limit?.giveBack(address, monotonicClock.nowMs());
    try {
      const { cell, isPaid } = await ask(sought, prove);
      if (isPaid) giveBack();
      return cell ?? homeName;
    } catch (error) {
      // An outage of the home, or too many look-ups at once, are not the client's fault; and staff do not guess. While a
      // further cell is away, a client could.
      if (error === notNow || outageOf(error) || prove) giveBack();
      throw error;
    }
  }

  /** Many requests with one key that is new here are one look-up, and have one price. */
  function lookOnce(sought: Sought, address: string | undefined): Promise<string> {
    const name = `${networkOf(address ?? '')} ${nameOf(sought)}`;
    const before = pending.get(name);
    if (before) return before;
    const looking = look(sought, address).finally(() => pending.delete(name));
    pending.set(name, looking);
    return looking;
  }

  return async (sought, request, address) => {
    if (unknown.has(nameOf(sought), monotonicClock.nowMs())) return homeName;
    if (sought.kind !== 'THING') return lookOnce(sought, address);
    const prove = staffProof(request, address);
    return prove ? look(sought, address, prove) : homeName;
  };
}
