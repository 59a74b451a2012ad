import { hostname } from 'node:os';
import type { Config } from '../../platform/config/config.ts';
import { LongRun, type LongRunOptions, type Run } from '../../platform/jobs/long-run.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { SecretKeys } from '../../platform/secrets/secret-keys.ts';
import type { Cell } from '../../tenants/cells/cell.ts';
import type { Result } from './check.ts';
import { dataChecks } from './data-directory-checks.ts';
import { diagnoseDatabase, type ReportFinding, runAll } from './diagnose.ts';
import { settingsChecks } from './settings-checks.ts';

export type Diagnosis = Run<Result[]>;

export interface DoctorDependencies extends Omit<LongRunOptions, 'name'> {
  config: Config;
  databaseUrl: string;
  wallClock: Clock;
  /** The settings of this process. */
  keys: SecretKeys | undefined;
  /** All cells, the home first; only in the home of several cells. */
  allCells?: readonly Cell[] | undefined;
}

/** Findings are reused for this long: reloading the page must not read the whole ledger again. */
const keptMs = 30_000;

/** The process that answers: the findings about DATA_DIR, free space and the clock concern it alone. */
export const thisProcess = { host: hostname(), pid: process.pid };

/** The checks of `zimbo doctor` in a running gateway: one run at a time, whose findings all readers share. */
export class Doctor {
  readonly #dependencies: DoctorDependencies;
  readonly #runs: LongRun<Result[]>;

  constructor(dependencies: DoctorDependencies) {
    this.#dependencies = dependencies;
    this.#runs = new LongRun({ ...dependencies, name: 'doctor' });
  }

  /** Findings at most half a minute old, or those so far of a run that begins now. */
  look(): Diagnosis {
    const { last } = this.#runs;
    const isKept =
      last !== undefined &&
      (last.endedAtMs === undefined || this.#dependencies.clock.nowMs() - last.endedAtMs < keptMs);
    if (isKept) return last;
    return this.#runs.begin([], (database, { state }) => {
      const tell: ReportFinding = (group, name, finding) => state.push({ group, name, ...finding });
      return this.#check(tell, database);
    });
  }

  /** The same after the end of the run. */
  async diagnose(): Promise<Diagnosis> {
    const diagnosis = this.look();
    await this.#runs.ended();
    return diagnosis;
  }

  async #check(
    tell: ReportFinding,
    database: Parameters<typeof diagnoseDatabase>[1],
  ): Promise<void> {
    const { config, databaseUrl: url, wallClock, keys, allCells } = this.#dependencies;
    await runAll(tell, 'Settings', settingsChecks(config));
    await runAll(tell, 'Data', dataChecks(config));
    const of = { config, url, wallClock, findKeys: async () => keys };
    const isOfUse = await diagnoseDatabase(tell, database, of);
    if (!isOfUse || !allCells) return;
    const { checkAcrossCells } = await import('./check-cells.ts');
    await checkAcrossCells(tell, allCells);
  }

  stop(): Promise<void> {
    return this.#runs.stop();
  }
}
