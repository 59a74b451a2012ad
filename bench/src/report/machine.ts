import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';

/** The machine and the commit of the figures. */
export interface Machine {
  date: string;
  commit: string;
  processor: string;
  cores: number;
  memoryGigabytes: number;
  system: string;
  node: string;
}

export function thisMachine(): Machine {
  const cores = cpus();
  return {
    date: new Date().toISOString(),
    commit: commit(),
    processor: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
  };
}

/** The measured commit; a plus sign marks uncommitted changes. */
function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const changed = git('status', '--porcelain') !== '';
    return git('rev-parse', '--short', 'HEAD') + (changed ? '+' : '');
  } catch {
    return 'unknown';
  }
}
