import type { ByteBudget } from '../platform/memory/byte-budget.ts';
import type { GaugeGroup } from '../platform/observability/gauges.ts';

const modes = ['live', 'test'] as const;

/** The purpose of a memory budget: large requests and their responses, deliveries, or waiting payments and refunds. */
export interface MemoryUse {
  requests: ByteBudget;
  deliveries: ByteBudget;
  payments: ByteBudget;
}

/** The use of each budget, in total and by the largest tenant, and its limit. */
export function memoryGauges(use: MemoryUse): GaugeGroup {
  return {
    labelNames: ['use', 'mode'],
    help: {
      zimbo_memory_bytes:
        'Memory in use for large requests, deliveries, and waiting payments and refunds.',
      zimbo_memory_limit_bytes: 'The limit of zimbo_memory_bytes.',
      zimbo_memory_largest_tenant_bytes: 'How much of zimbo_memory_bytes the largest tenant uses.',
    },
    async read() {
      const budgets = Object.entries(use) as [keyof MemoryUse, ByteBudget][];
      const figuresOf = (readOf: (budget: ByteBudget, mode: 'live' | 'test') => number) =>
        budgets.flatMap(([name, budget]) =>
          modes.map((mode) => ({ labels: { use: name, mode }, value: readOf(budget, mode) })),
        );
      return {
        zimbo_memory_bytes: figuresOf((budget, mode) => budget.held(mode)),
        zimbo_memory_limit_bytes: figuresOf((budget, mode) => budget.limit(mode)),
        zimbo_memory_largest_tenant_bytes: figuresOf((budget, mode) => budget.largest(mode)),
      };
    },
  };
}
