import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { OperatorConfigs, OperatorSettings } from '../platform/config-operators.ts';
import type { Database } from '../platform/database.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { CallbackKind, CallbackTokens } from './callbacks/token.ts';
import { GsmaOperator } from './gsma/adapter.ts';
import { createGsmaClient } from './gsma/client.ts';
import { Exchange } from './gsma/exchange.ts';
import type { Operator, OperatorName } from './operator.ts';

export interface LiveParts {
  database: Database;
  /** For pauses, which say when rows come due. */
  clock: Clock;
  /** For dates that operators read, and for tokens of theirs. */
  wallClock: Clock;
  log: Logger;
  metrics: Metrics;
  tokens: CallbackTokens;
  publicUrl: string;
  settings: OperatorConfigs;
  operatorTimeoutMs: number;
  /** How long an operator that is down is left alone. */
  firstAskGapMs: number;
}

export interface LiveOperators {
  operators: Partial<Record<OperatorName, Operator>>;
  close(): Promise<void>;
}

/** The operators that are configured, each with connections of its own. */
export function liveOperators(parts: LiveParts): LiveOperators {
  const configured = Object.entries(parts.settings) as [OperatorName, OperatorSettings][];
  const clients = configured.map(([, settings]) => createGsmaClient(settings, parts.wallClock));
  const operators = configured.map(([operator, settings], index) => {
    const client = clients[index]!;
    const { metrics, tokens, publicUrl, operatorTimeoutMs: timeoutMs, wallClock: clock } = parts;
    const exchange = new Exchange({
      ...parts,
      operator,
      client,
      pauseMs: parts.firstAskGapMs,
      onCall: (outcome) => metrics.operatorReplies.inc({ operator, outcome }),
    });
    const callbackUrl = (kind: CallbackKind, tenantId: string, reference: string) => {
      const token = tokens.make({ operator, kind, tenantId, reference });
      return `${publicUrl}/operators/${operator}/callbacks/${token}`;
    };
    return [
      operator,
      new GsmaOperator({ ...parts, clock, operator, settings, exchange, timeoutMs, callbackUrl }),
    ] as const;
  });
  return {
    operators: Object.fromEntries(operators),
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}
