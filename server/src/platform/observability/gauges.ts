import { Gauge, type Registry } from 'prom-client';

/** One figure of a gauge, with its labels. */
export interface Figure {
  labels: Record<string, string>;
  value: number;
}

/** Several gauges that are read together: one query serves them, at each look of Prometheus. */
export interface GaugeGroup {
  /** What each gauge is, by name. */
  help: Record<string, string>;
  labelNames: string[];
  /** It is read from the database, so every process has the same. */
  isOfDatabase?: true;
  /** How those of several processes become one, where they are not added up. */
  aggregators?: Record<string, 'first' | 'min' | 'max'>;
  /** The figures of each gauge, by name. Where it fails, the gauges are empty rather than old. */
  read(): Promise<Record<string, Figure[]>>;
}

export function registerGauges(registry: Registry, group: GaugeGroup): void {
  let reading: Promise<Record<string, Figure[]>> | undefined;
  const read = () => {
    reading ??= group
      .read()
      // In an outage of the database the other figures are wanted all the more.
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
        // A gauge without labels is 0 after a reset, which would be a figure.
        if (group.labelNames.length === 0) this.remove();
        for (const { labels, value } of figures) this.set(labels, value);
      },
    });
  }
}
