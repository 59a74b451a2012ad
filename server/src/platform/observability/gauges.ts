import { Gauge, type Registry } from 'prom-client';

/** One value of a gauge, with its labels. */
export interface Figure {
  labels: Record<string, string>;
  value: number;
}

/** Several gauges that are read together: one query serves them, at each look of Prometheus. */
export interface GaugeGroup {
  /** The description of each gauge, by name. */
  help: Record<string, string>;
  labelNames: string[];
  /** Whether it is read from the database, so that every process has the same value. */
  isOfDatabase?: true;
  /** The aggregation over several processes, if not the sum. */
  aggregators?: Record<string, 'first' | 'min' | 'max'>;
  /** The figures of each gauge, by name. If it fails, the gauges are empty rather than stale. */
  read(): Promise<Record<string, Figure[]>>;
}

export function registerGauges(registry: Registry, group: GaugeGroup): void {
  let reading: Promise<Record<string, Figure[]>> | undefined;
  const read = () => {
    reading ??= group
      .read()
      // During an outage of the database, the other metrics matter even more.
      .catch(() => ({}))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  for (const [name, help] of Object.entries(group.help)) {
    new Gauge({
      name,
      help,
      labelNames: group.labelNames,
      aggregator: group.aggregators?.[name] ?? 'sum',
      registers: [registry],
      async collect() {
        const figures = (await read())[name] ?? [];
        this.reset();
        // A gauge without labels is 0 after a reset, which would look like a value.
        if (group.labelNames.length === 0) this.remove();
        for (const { labels, value } of figures) this.set(labels, value);
      },
    });
  }
}
