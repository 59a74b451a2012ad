import type { Database } from '../../platform/postgres/database.ts';
import { describeOffset, longestOffsetMs } from '../../platform/postgres/database-clock.ts';
import { type Check, type Finding, failure, ok, warning } from './check.ts';
import {
  describeDifference,
  differencesOf,
  nameOf,
  type RunningProcess,
  runningProcesses,
} from './process-registry.ts';

/** The gateways running on the database: their clocks, and whether their settings agree. */
export function processChecks({ database }: { database: Database }): Check[] {
  return [{ name: 'Processes', run: () => processesFinding(database) }];
}

async function processesFinding(database: Database): Promise<Finding> {
  const processes = await runningProcesses(database);
  if (processes.length === 0) return ok('no gateway is running');
  const wrong = processes.filter(({ clockOffsetMs }) => Math.abs(clockOffsetMs) > longestOffsetMs);
  if (wrong.length > 0) {
    const clocks = wrong.map(
      (each) => `the clock of ${nameOf(each)} is ${describeOffset(each.clockOffsetMs)}`,
    );
    return failure(
      clocks.join('\n'),
      'It takes no work until its clock is correct: run a time service (chrony, systemd-timesyncd) there.',
    );
  }
  if (processes.every(({ role }) => role === 'api')) {
    return warning(
      `none is a worker: ${processes.map(nameOf).join(', ')}`,
      'Without a worker, nothing is sent, settled or sealed: start a gateway with ZIMBO_ROLE worker or all; of several cells, with this one in ZIMBO_CELLS.',
    );
  }
  const differences = differencesOf(processes);
  if (differences.length > 0) {
    return warning(
      differences.map(describeDifference).join('\n'),
      'Give all gateways the same settings, and restart those that differ (docs/runbooks/several-gateways.md).',
    );
  }
  const each = processes.map((process) => `${nameOf(process)}${describeMemory([process])}`);
  if (processes.length === 1) return ok(each.join());
  return ok(
    [`${processes.length}, and their settings agree`, ...each, ...sums(processes)].join('\n'),
  );
}

/** The totals of several processes on one machine. */
function sums(processes: readonly RunningProcess[]): string[] {
  const machines = Map.groupBy(processes, ({ host }) => host);
  return [...machines]
    .filter(([, { length }]) => length > 1)
    .map(([host, those]) => `all ${those.length} on ${host}${describeMemory(those)}`);
}

/** Undefined if one of them does not report it. */
function describeMemory(processes: readonly RunningProcess[]): string {
  const bytes = processes.map(({ memoryBytes }) => memoryBytes);
  if (bytes.includes(null)) return '';
  const sum = bytes.reduce((all: number, one) => all + one!, 0);
  return `: ${Math.round(sum / 2 ** 20)} MiB`;
}
