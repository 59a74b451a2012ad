import type { MetricJson } from '../../platform/observability/aggregate-metrics.ts';

/** A process too busy to answer must not delay the metrics of the others. */
const patienceMs = 1_000;

/** The metrics of all processes, which the primary combines for the process that requests them. */
export class Figures<Process> {
  #ask: (process: Process, id: number) => void;
  /** The last metrics of each process. */
  #last = new Map<Process, MetricJson[]>();
  #waiting = new Map<number, () => void>();
  #lastId = 0;
  /** The counts of ended processes: a falling sum would look like a counter reset. */
  #gone: MetricJson[] = [];
  #merging: Promise<unknown> = Promise.resolve();
  #deaths = 0;

  constructor(ask: (process: Process, id: number) => void) {
    this.#ask = ask;
  }

  /** All metrics except the requester's own. */
  async gather(asker: Process, own: MetricJson[], running: Process[]): Promise<MetricJson[][]> {
    this.#last.set(asker, own);
    const others = running.filter((process) => process !== asker);
    await Promise.all(others.map((process) => this.#refresh(process)));
    await this.#merging;
    const known = others.map((process) => this.#last.get(process) ?? []);
    return [...known, this.#gone, this.#ofPrimary(running.length)];
  }

  heard(process: Process, id: number, metrics: MetricJson[]): void {
    this.#last.set(process, metrics);
    this.#waiting.get(id)?.();
  }

  /** The process has ended. */
  forget(process: Process, { died }: { died: boolean }): void {
    if (died) this.#deaths += 1;
    const last = (this.#last.get(process) ?? []).filter(
      ({ type }) => String(type) === 'counter' || String(type) === 'histogram',
    );
    this.#last.delete(process);
    this.#merging = this.#merging.then(async () => {
      const { AggregatorRegistry } = await import('prom-client');
      const all = AggregatorRegistry.aggregate([this.#gone, last] as object[]);
      this.#gone = await all.getMetricsAsJSON();
    });
  }

  #refresh(process: Process): Promise<void> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, patienceMs);
      this.#waiting.set(id, done);
      this.#ask(process, id);
    });
  }

  #ofPrimary(running: number): MetricJson[] {
    const one = (name: string, type: string, help: string, value: number) =>
      ({ name, type, help, aggregator: 'sum', values: [{ labels: {}, value }] }) as never;
    return [
      one('process_resident_memory_bytes', 'gauge', '', process.memoryUsage.rss()),
      one('zimbo_processes', 'gauge', 'Processes that answer requests.', running),
      one(
        'zimbo_process_deaths_total',
        'counter',
        'Processes that died and were replaced.',
        this.#deaths,
      ),
    ];
  }
}
