import { homeName } from '../../tenants/cells/cell.ts';
import type { Readiness } from '../gateway-options.ts';

/** Whoever asks has little patience, and one database that hangs says nothing of the others. */
const patienceMs = 1_000;

/**
 * A gateway of several cells is ready as long as one can be written to: a proxy that left it alone would take the others
 * from their merchants as well.
 * @param ofHome why it cannot be written to; undefined: it can
 */
export async function readinessOf(
  ofHome: Promise<string | undefined>,
  cells: ReadonlyMap<string, { fault(): Promise<string | undefined> }>,
): Promise<Readiness> {
  const further = [...cells].map(([name, cell]) => [name, cell.fault()] as const);
  const asked = new Map([[homeName, ofHome] as const, ...further]);
  const silent = [...asked.keys()].map((name) => [name, 'the database does not answer'] as const);
  const faults = new Map<string, string>(silent);
  const heard = [...asked].map(async ([name, asking]) => {
    const fault = await asking;
    if (fault === undefined) faults.delete(name);
    else faults.set(name, fault);
    if (fault !== undefined) throw new Error(fault);
  });
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, patienceMs);
  await Promise.race([Promise.allSettled(heard), late.promise]);
  clearTimeout(timer);
  // None is well so far: the first that is decides.
  if (faults.size === asked.size) await Promise.any(heard).catch(() => {});
  if (faults.size === 0) return {};
  const away = Object.fromEntries(faults);
  return faults.size === asked.size ? { fault: faults.get(homeName), away } : { away };
}
