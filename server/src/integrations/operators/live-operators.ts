import type { Logger } from 'pino';
import type { LiveOperatorName } from '../../platform/config/operator-catalogue.ts';
import type { OperatorConfigs, OperatorSettings } from '../../platform/config/operator-settings.ts';
import type { Metrics } from '../../platform/observability/metrics.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { OpenedOperator } from './adapter.ts';
import type { CallbackKind, CallbackTokens } from './callback-token.ts';
import type { Pause } from './circuit-breaker.ts';
import type { AdapterOf } from './load-adapters.ts';
import type { Operator } from './operator.ts';

export interface LiveDependencies {
  database: Database;
  clock: Clock;
  wallClock: Clock;
  log: Logger;
  metrics: Metrics;
  tokens: CallbackTokens;
  publicUrl: string;
  adapterOf: AdapterOf;
  settings: OperatorConfigs;
  operatorTimeoutMs: number;
  /** How long calls pause for an operator that is down. */
  firstBackoffMs: number;
}

export interface LiveOperators {
  operators: Partial<Record<LiveOperatorName, Operator>>;
  /** The pause of calls to each operator; null: none. */
  pauses: () => Partial<Record<LiveOperatorName, Pause | null>>;
  close(): Promise<void>;
}

/** The operators that are configured. */
export function liveOperators(dependencies: LiveDependencies): LiveOperators {
  const configured = Object.entries(dependencies.settings) as [
    LiveOperatorName,
    OperatorSettings,
  ][];
  const opened = configured.map(
    ([operator, settings]) => [operator, open(dependencies, operator, settings)] as const,
  );
  return {
    operators: Object.fromEntries(opened.map(([name, { operator }]) => [name, operator])),
    pauses: () =>
      Object.fromEntries(opened.map(([name, each]) => [name, each.currentPause?.() ?? null])),
    close: async () => {
      await Promise.all(opened.map(([, each]) => each.close()));
    },
  };
}

function open(
  dependencies: LiveDependencies,
  operator: LiveOperatorName,
  settings: OperatorSettings,
): OpenedOperator {
  const { adapterOf, metrics, tokens, publicUrl } = dependencies;
  return adapterOf[operator].open({
    ...dependencies,
    operator,
    settings,
    timeoutMs: dependencies.operatorTimeoutMs,
    pauseMs: dependencies.firstBackoffMs,
    callbackUrl: (kind: CallbackKind, tenantId: string, reference: string) => {
      const token = tokens.make({ operator, kind, tenantId, reference });
      return `${publicUrl}/operators/${operator}/callbacks/${token}`;
    },
    onCall: (outcome) => metrics.operatorReplies.inc({ operator, outcome }),
  });
}
