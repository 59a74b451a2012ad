import type { Logger } from 'pino';
import type { LiveOperatorName } from '../config/catalogue.ts';
import type { Clock } from '../platform/clock.ts';
import type { OperatorConfigs, OperatorSettings } from '../platform/config-operators.ts';
import type { Database } from '../platform/database.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { OpenedOperator } from './adapter.ts';
import type { AdapterOf } from './adapters.ts';
import type { CallbackKind, CallbackTokens } from './callbacks/token.ts';
import type { Operator } from './operator.ts';

export interface LiveParts {
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
  /** How long an operator that is down is left alone. */
  firstAskGapMs: number;
}

export interface LiveOperators {
  operators: Partial<Record<LiveOperatorName, Operator>>;
  close(): Promise<void>;
}

/** The operators that are configured, each with connections of its own. */
export function liveOperators(parts: LiveParts): LiveOperators {
  const configured = Object.entries(parts.settings) as [LiveOperatorName, OperatorSettings][];
  const opened = configured.map(
    ([operator, settings]) => [operator, open(parts, operator, settings)] as const,
  );
  return {
    operators: Object.fromEntries(opened.map(([name, { operator }]) => [name, operator])),
    close: async () => {
      await Promise.all(opened.map(([, each]) => each.close()));
    },
  };
}

function open(
  parts: LiveParts,
  operator: LiveOperatorName,
  settings: OperatorSettings,
): OpenedOperator {
  const { adapterOf, metrics, tokens, publicUrl } = parts;
  return adapterOf[operator].open({
    ...parts,
    operator,
    settings,
    timeoutMs: parts.operatorTimeoutMs,
    pauseMs: parts.firstAskGapMs,
    callbackUrl: (kind: CallbackKind, tenantId: string, reference: string) => {
      const token = tokens.make({ operator, kind, tenantId, reference });
      return `${publicUrl}/operators/${operator}/callbacks/${token}`;
    },
    onCall: (outcome) => metrics.operatorReplies.inc({ operator, outcome }),
  });
}
