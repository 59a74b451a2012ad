import { limitReached } from '../errors/errors.ts';
import { LongRun, type LongRunOptions, type Run } from '../jobs/long-run.ts';
import type { Database } from '../postgres/database.ts';
import type { Ids } from '../values/ids.ts';
import { type Author, writeAuditRecord } from './record.ts';
import { findHead, type ListedRecord, listRecords } from './store.ts';
import { type Head, headText, type Verification, verifyAudit } from './verify.ts';

/** The progress of a verification, and finally its findings. */
export interface VerificationState {
  /** The heads to compare, as people keep them. */
  heads: readonly string[];
  /** How many seals there are. */
  sealsTotal: bigint;
  seals: bigint;
  records: number;
  result: Verification | undefined;
}

export type VerificationRun = Run<VerificationState>;

export interface AuditVerifierDependencies extends Omit<LongRunOptions, 'name'> {
  database: Database;
  ids: Ids;
}

/**
 * Verifies the audit log in the background: 100,000 records take about 10 seconds. One run at a time, on its own
 * connection. The audit log itself records who verified it, with what result, so every process knows.
 */
export class AuditVerifier {
  readonly #dependencies: AuditVerifierDependencies;
  readonly #runs: LongRun<VerificationState>;
  #recorded: Promise<void> = Promise.resolve();

  constructor(dependencies: AuditVerifierDependencies) {
    this.#dependencies = dependencies;
    this.#runs = new LongRun({ ...dependencies, name: 'audit verification' });
  }

  /** The running verification of this process, or else the latest. */
  get last(): VerificationRun | undefined {
    return this.#runs.last;
  }

  /** Settles when the start of the last run is in the log for other processes, or could not be written. */
  get recorded(): Promise<void> {
    return this.#recorded;
  }

  /** Starts a verification, or returns the running one. @throws LIMIT_REACHED the running one compares other heads */
  begin(author: Author, given: readonly Head[]): VerificationRun {
    const heads = given.map(headText);
    const { last } = this.#runs;
    if (last !== undefined && last.endedAtMs === undefined) {
      if (last.state.heads.join() === heads.join()) return last;
      throw otherHeadsInProgress();
    }
    const state = { heads, sealsTotal: 0n, seals: 0n, records: 0, result: undefined };
    const { ids, clock } = this.#dependencies;
    const run = ids.next(clock.nowMs());
    const recorded = this.#record('audit.verification_begun', author, { run, heads });
    this.#recorded = recorded.catch(() => {});
    return this.#runs.begin(state, async (own, { state: shown }) => {
      await recorded;
      const { result, summary } = await this.#verify(own, shown, given);
      await this.#record('audit.verified', author, { run, ...summary });
      shown.result = result;
    });
  }

  /** The same at its end. @throws Error it broke off */
  async verify(author: Author, heads: readonly Head[]): Promise<Verification> {
    const run = this.begin(author, heads);
    await this.#runs.ended();
    if (run.state.result === undefined) throw new Error('the verification broke off');
    return run.state.result;
  }

  async #verify(own: Database, state: VerificationState, heads: readonly Head[]) {
    state.sealsTotal = (await findHead(own))?.number ?? 0n;
    const result = await verifyAudit(own, heads, ({ seal, records }) => {
      state.seals = seal;
      state.records = records;
    });
    const { problems, problemCount, seals, records, unsealed, head } = result;
    const summary = {
      clean: problemCount === 0,
      problems: problemCount,
      first: problems[0],
      seals: Number(seals),
      records,
      unsealed: Number(unsealed),
      head: head && headText(head),
    };
    return { result, summary };
  }

  #record(
    action: 'audit.verification_begun' | 'audit.verified',
    author: Author,
    detail: Record<string, unknown>,
  ): Promise<void> {
    const record = { tenantId: null, action, subject: 'all', detail };
    const { database } = this.#dependencies;
    return writeAuditRecord(database, { ...this.#dependencies, ...author }, record);
  }

  stop(): Promise<void> {
    return this.#runs.stop();
  }
}

export interface LatestVerification {
  /** The result of the latest finished verification in the log. */
  verified: ListedRecord | undefined;
  /** A later verification that began, but has no recorded end. */
  begun: ListedRecord | undefined;
}

/** How many of the latest ends are compared with the latest beginning. */
const mostAtOnce = 20;

/** The latest verification of any process, according to the log. */
export async function latestVerification(database: Database): Promise<LatestVerification> {
  const newest = (action: 'audit.verification_begun' | 'audit.verified', limit: number) =>
    listRecords(database, { action }, { limit });
  const [begun] = await newest('audit.verification_begun', 1);
  const ended = await newest('audit.verified', mostAtOnce);
  const isOpen = begun !== undefined && !ended.some((verified) => isEndOf(verified, begun));
  return { verified: ended[0], begun: isOpen ? begun : undefined };
}

/**
 * Ids of two processes are unordered within some milliseconds, so both records name their run; older records do not.
 */
function isEndOf(verified: ListedRecord, begun: ListedRecord): boolean {
  const { run } = verified.detail as { run?: unknown };
  return run === undefined
    ? verified.id > begun.id
    : run === (begun.detail as { run?: unknown }).run;
}

export const otherHeadsInProgress = () =>
  limitReached('A verification with other heads is in progress. Wait until it has ended.');
