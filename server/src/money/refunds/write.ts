import type { Subscription } from '../../integrations/events/append.ts';
import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import type { NewEvent } from '../../integrations/events/event.ts';
import { keysOf } from '../../platform/idempotency/idempotency.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { beginDays, DailyRefunds } from '../../tenants/merchants/daily-refund-limit.ts';
import type { Creation } from './creation.ts';
import {
  insertRefunds,
  type NewRefund,
  type RefundBasis,
  type RefundLookup,
  readBefore,
} from './creation-store.ts';
import { type PrepareDependencies, prepareRefund } from './prepare.ts';
import type { Refund } from './refund.ts';
import { creationJson } from './view.ts';

/** The result of a request. */
export type Outcome =
  | { kind: 'made'; refund: Refund; json: string }
  /** A refund exists under its key. */
  | { kind: 'earlier'; refund: Refund; json: string }
  | { kind: 'refused'; error: unknown }
  /**
   * The data that decided about it has changed meanwhile, or another request of its batch may change it: nothing is
   * written.
   */
  | { kind: 'lost' };

export interface Written {
  /** In the order of the requests. */
  outcomes: Outcome[];
  /** To be passed to the dispatcher once everything is committed. */
  subscriptions: Subscription[];
  /** The refunds written now. */
  events: NewEvent[];
  /** When other processes may take the deliveries. */
  dueAtMs: number;
}

interface WriteDependencies extends PrepareDependencies {
  dispatcher: DeliveryDispatcher;
}

const lost: Outcome = { kind: 'lost' };

/**
 * Decides requests of different payments from the result of one statement, and writes the refunds with another, which
 * checks that nothing has changed. No request sees another of its batch: if the outcome of one depends on another, it
 * counts as lost and is tried again.
 */
export async function writeRefunds(
  dependencies: WriteDependencies,
  database: Queryable,
  creations: readonly Creation[],
): Promise<Written> {
  const asked = creations.map((creation) => ({
    creation,
    keys: keysUnder(dependencies, creation),
  }));
  const before = await readBefore(database, asked);
  const batch = new Batch(dependencies);
  const decided = asked.map((each, index) => batch.decide(each, before[index]!));
  const { rows } = batch;
  const events = rows.map(({ event }) => event);
  const dueAtMs = dependencies.dispatcher.leaseMs(dependencies.clock.nowMs(), events);
  const nothing = { ids: new Set<string>(), subscriptions: [] };
  if (rows.length > 0) await beginDays(database, batch.newDays);
  const written = rows.length > 0 ? await insertRefunds(database, rows, dueAtMs) : nothing;
  return {
    outcomes: decided.map((outcome) =>
      outcome.kind === 'new' ? outcomeOf(outcome, written.ids) : outcome,
    ),
    subscriptions: written.subscriptions,
    events: rows.flatMap(({ refund, event }) => (written.ids.has(refund.id) ? event : [])),
    dueAtMs,
  };
}

/** The keys under which a request's refund may be stored. */
const keysUnder = ({ requestHashes }: PrepareDependencies, { input }: Creation) =>
  input.idempotency ? keysOf(requestHashes, input.idempotency) : [null];

const outcomeOf = ({ refund, json }: NewRefund, ids: Set<string>): Outcome =>
  ids.has(refund.id) ? { kind: 'made', refund, json } : lost;

/** The refund that a request has made before, or another under its key. */
function earlierOf(creation: Creation, keys: readonly (string | null)[], { earlier }: RefundBasis) {
  const own = earlier.find(({ id }) => id === creation.id);
  return (
    own ?? keys.map((key) => earlier.find((each) => each.idempotencyKey === key)).find(Boolean)
  );
}

type Decided = Outcome | ({ kind: 'new' } & NewRefund);

/** Requests that are decided from one instant, and the refunds that they are about to write together. */
class Batch {
  readonly rows: NewRefund[] = [];
  /** API keys that have refunded nothing on their days yet. */
  readonly newDays: Refund[] = [];
  #dependencies: PrepareDependencies;
  #days = new DailyRefunds();

  constructor(dependencies: PrepareDependencies) {
    this.#dependencies = dependencies;
  }

  decide({ creation, keys }: RefundLookup, before: RefundBasis): Decided {
    const refund = earlierOf(creation, keys, before);
    // The same id means that an earlier try was committed although its answer was lost.
    const kind = refund?.id === creation.id ? 'made' : 'earlier';
    if (refund) return { kind, refund, json: creationJson(refund) };
    try {
      const row = prepareRefund(this.#dependencies, creation, before);
      const { refund, dayLimitMinor } = row;
      if (!this.#days.take(refund, before.usedMinor ?? 0n, dayLimitMinor)) return lost;
      if (dayLimitMinor !== null && before.usedMinor === null) this.newDays.push(refund);
      this.rows.push(row);
      return { kind: 'new', ...row };
    } catch (error) {
      return { kind: 'refused', error };
    }
  }
}
