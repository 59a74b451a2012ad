import { readdirSync, readFileSync } from 'node:fs';

/** /proc counts in hundredths of a second on every Linux, regardless of the kernel's clock. */
const millisecondsPerTick = 10;

/** The CPU time used since the start, in milliseconds. */
export interface ProcessorTime {
  gatewayMs: number;
  postgresMs: number;
}

/** Of a gateway and its PostgreSQL; undefined without /proc. */
export function processorTime({
  processId,
  postgresId,
}: {
  processId: number;
  postgresId: number;
}): ProcessorTime | undefined {
  const stats = readStats();
  return stats && { gatewayMs: treeMs(stats, processId), postgresMs: treeMs(stats, postgresId) };
}

/** Of our ended children, in milliseconds; undefined without /proc. */
export function endedChildrenMs(): number | undefined {
  const own = readStats()
    ?.map(parsed)
    .find(({ id }) => id === process.pid);
  return own && own.childTicks * millisecondsPerTick;
}

/** Of one process and its children; undefined without /proc. */
export function processMs(processId: number): number | undefined {
  const stats = readStats();
  return stats && treeMs(stats, processId);
}

function readStats(): string[] | undefined {
  if (process.platform !== 'linux') return undefined;
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.flatMap((id) => {
    try {
      return [readFileSync(`/proc/${id}/stat`, 'utf8')];
    } catch {
      // It has ended, and its parent has its CPU time.
      return [];
    }
  });
}

/**
 * The CPU time of a process and its descendants, in milliseconds, from lines of /proc/PID/stat.
 * Ended ones count too, in their parents.
 */
export function treeMs(stats: readonly string[], root: number): number {
  const processes = stats.map(parsed);
  const ids = new Set([root]);
  // A child may have a lower pid than its parent, so one pass is not enough.
  for (let size = 0; size < ids.size; ) {
    size = ids.size;
    for (const { id, parent } of processes) if (ids.has(parent)) ids.add(id);
  }
  const ticks = processes.filter(({ id }) => ids.has(id)).map((one) => one.ticks);
  return ticks.reduce((sum, one) => sum + one, 0) * millisecondsPerTick;
}

function parsed(stat: string) {
  // The name in parentheses may contain anything; the numbers follow the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime, stime, and those of awaited children.
  const [user, system, ofChildren, systemOfChildren] = fields.slice(11, 15).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const childTicks = ofChildren + systemOfChildren;
  const ticks = user + system + childTicks;
  return { id: Number.parseInt(stat, 10), parent: Number(fields[1]), ticks, childTicks };
}
