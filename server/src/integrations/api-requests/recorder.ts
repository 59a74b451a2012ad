import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { type ApiRequest, type Chunk, chunkOf, hasFailed, redactRequestId } from './request.ts';
import { insertChunks } from './store.ts';

export interface RequestRecorderDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  /** The interval between two writes. */
  requestLogIntervalMs: number;
}

/** The limit for one tenant and kind between two writes. */
const mostOfTenant = 2_000;
/** When many tenants are busy, each has an equal share of this, however many requests one of them makes. */
const sharedAmongTenants = 20_000;
const leastOfTenant = 20;

/** One tenant's requests since the last write. */
interface Lane {
  requests: ApiRequest[];
  dropped: number;
}

interface Lanes {
  succeeded: Lane;
  failed: Lane;
}

/**
 * Collects requests and their responses, and writes them about once a second in one statement: no request waits for
 * that. Requests beyond the limit are only counted.
 */
export class RequestRecorder {
  #dependencies: RequestRecorderDependencies;
  #lanes = new Map<string, Lanes>();
  /** Chunks that could not be written yet; under the same ids, since they may have been. */
  #unwritten: Chunk[] = [];
  #loop: Poller;

  constructor(dependencies: RequestRecorderDependencies) {
    this.#dependencies = dependencies;
    const { clock, log, requestLogIntervalMs: intervalMs } = dependencies;
    const claim = () => this.#write().then(() => 0);
    const intervals = { minIntervalMs: intervalMs, maxIntervalMs: intervalMs };
    this.#loop = new Poller({ name: 'api requests', clock, log, claim, ...intervals });
  }

  note(tenantId: string, request: Omit<ApiRequest, 'atMs'> & Partial<ApiRequest>): void {
    let lanes = this.#lanes.get(tenantId);
    if (lanes === undefined) {
      lanes = { succeeded: { requests: [], dropped: 0 }, failed: { requests: [], dropped: 0 } };
      this.#lanes.set(tenantId, lanes);
    }
    const lane = hasFailed(request) ? lanes.failed : lanes.succeeded;
    const share = Math.max(leastOfTenant, sharedAmongTenants / this.#lanes.size);
    if (lane.requests.length >= Math.min(mostOfTenant, share)) {
      lane.dropped += 1;
      return;
    }
    request.atMs = this.#dependencies.clock.nowMs() - request.durationMs;
    lane.requests.push(request as ApiRequest);
  }

  start(): void {
    this.#loop.start();
  }

  /** Writes the remaining chunks. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#write().catch((error: unknown) => {
      this.#dependencies.log.warn({ err: error }, 'the last requests were not written');
    });
  }

  async #write(): Promise<void> {
    // While the database is unavailable, new requests fill their share of memory and no more.
    if (this.#unwritten.length === 0) this.#unwritten = await this.#takeChunks();
    if (this.#unwritten.length === 0) return;
    await insertChunks(this.#dependencies.database, this.#unwritten);
    this.#unwritten = [];
  }

  async #takeChunks(): Promise<Chunk[]> {
    const lanes = [...this.#lanes].flatMap(([tenantId, { succeeded, failed }]) => [
      { tenantId, failed: false, ...succeeded },
      { tenantId, failed: true, ...failed },
    ]);
    this.#lanes = new Map();
    const { clock, ids } = this.#dependencies;
    const chunks: Chunk[] = [];
    // One after the other: each compression takes a quarter of a megabyte meanwhile.
    for (const { tenantId, failed, dropped, requests } of lanes) {
      if (requests.length === 0) continue;
      const id = ids.next(clock.nowMs());
      chunks.push(await chunkOf({ tenantId, id, failed, dropped }, requests.map(keptRequest)));
    }
    return chunks;
  }
}

function keptRequest(request: ApiRequest): ApiRequest {
  return {
    ...request,
    atMs: Math.round(request.atMs),
    requestId: redactRequestId(request.requestId),
    durationMs: Math.round(request.durationMs * 10) / 10,
  };
}
