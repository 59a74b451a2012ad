import type { Logger } from 'pino';
import { Batcher } from '../../platform/jobs/batcher.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { after, type Clock } from '../../platform/process/clock.ts';
import { type DeliveryAttempt, recordAttempts } from './delivery-store.ts';
import type { EndpointHealth } from './health.ts';

/** One statement costs as much as recording several attempts, and nobody waits for these. */
const gatherMs = 10;

export interface AttemptRecorderDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  health: EndpointHealth;
  /** The next attempt of a failed delivery is due at this instant. */
  onDueAgain: (dueAtMs: number) => void;
}

/** Records the results of attempts, those of some milliseconds together. */
export class AttemptRecorder {
  #dependencies: AttemptRecorderDependencies;
  #batches: Batcher<DeliveryAttempt, undefined>;
  #gathered: DeliveryAttempt[] = [];
  #writing = new Set<Promise<void>>();

  constructor(dependencies: AttemptRecorderDependencies) {
    this.#dependencies = dependencies;
    const { database, health } = dependencies;
    this.#batches = new Batcher({
      maxItems: 256,
      maxInFlight: 1,
      // The event's id comes first, since it differs soonest, so that sorting compares little.
      keyOf: ({ delivery }) => delivery.eventId + delivery.endpointId,
      ownerOf: ({ delivery }) => delivery.tenantId,
      write: async (attempts) => {
        await recordAttempts(database, attempts);
        await health.note(attempts);
        return attempts.map(() => undefined);
      },
    });
  }

  record(attempt: DeliveryAttempt): void {
    this.#gathered.push(attempt);
    if (this.#gathered.length > 1) return;
    after(this.#dependencies.clock, gatherMs, () => this.#writeGathered());
  }

  /** Resolves when everything recorded so far is written. */
  async stop(): Promise<void> {
    this.#writeGathered();
    await Promise.all(this.#writing);
  }

  #writeGathered(): void {
    const attempts = this.#gathered;
    if (attempts.length === 0) return;
    this.#gathered = [];
    const writing = Promise.all(attempts.map((attempt) => this.#write(attempt))).then(() => {
      this.#writing.delete(writing);
    });
    this.#writing.add(writing);
  }

  #write(attempt: DeliveryAttempt): Promise<void> {
    const { log, onDueAgain } = this.#dependencies;
    return this.#batches.submit(attempt).then(
      () => {
        if (attempt.dueAtMs !== null) onDueAgain(attempt.dueAtMs);
      },
      // An unrecorded delivery comes due again when its lease ends: delivered twice rather than never.
      (error: unknown) => {
        const event = attempt.delivery.eventId;
        log.warn({ err: error, event }, 'an attempt could not be recorded');
      },
    );
  }
}
