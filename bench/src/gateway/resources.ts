import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const sampleIntervalMs = 250;

/** The current memory of a process, in megabytes (RSS). */
export async function residentMegabytes(processId: number): Promise<number> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${processId}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
  }
  const { stdout } = await execute('ps', ['-o', 'rss=', '-p', String(processId)]);
  return Number(stdout) / 1_024;
}

/** Tracks a process's memory. */
export function watchMemory(processId: number) {
  let peak = 0;
  const timer = setInterval(async () => {
    peak = Math.max(peak, await residentMegabytes(processId).catch(() => 0));
  }, sampleIntervalMs);
  return { peakMegabytes: () => peak, stop: () => clearInterval(timer) };
}

/** The gateway's CPU time since its start, in milliseconds, from its own metrics. */
export async function processorMs(gatewayUrl: string): Promise<number> {
  const metrics = await (await fetch(`${gatewayUrl}/metrics`)).text();
  return Number(/^process_cpu_seconds_total ([\d.]+)/m.exec(metrics)![1]) * 1_000;
}
