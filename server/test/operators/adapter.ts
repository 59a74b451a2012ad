import type { TestContext } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { CallOutcome } from '../../src/operators/adapter.ts';
import { GsmaOperator } from '../../src/operators/gsma/adapter.ts';
import { createGsmaClient } from '../../src/operators/gsma/client.ts';
import { Exchange } from '../../src/operators/gsma/exchange.ts';
import type { Database } from '../../src/postgres/database.ts';
import { cleanUp } from '../support/cleanup.ts';
import { silentLog } from '../support/database.ts';
import { operatorEnvironment } from './gateway.ts';
import type { Provider } from './provider.ts';

interface Options {
  callbackUrl?: (reference: string) => string;
  /** How long the operator is left alone when it is down. */
  pauseMs?: number;
  timeoutMs?: number;
  onCall?: (outcome: CallOutcome) => void;
}

/** The adapter alone, with a provider at its other end. */
export function gsmaOperator(
  context: Pick<TestContext, 'after'>,
  database: Database,
  provider: Provider,
  change: Record<string, string> = {},
  options: Options = {},
): GsmaOperator {
  const { callbackUrl = () => 'http://127.0.0.1:9/', pauseMs = 0, timeoutMs = 5_000 } = options;
  const settings = loadConfig(operatorEnvironment('CVMOVEL', provider, change)).operators.CVMOVEL!;
  const client = createGsmaClient(settings, systemClock);
  cleanUp(context, () => client.close());
  const base = { operator: 'CVMOVEL', clock: systemClock, log: silentLog } as const;
  const onCall = options.onCall ?? (() => {});
  return new GsmaOperator({
    ...base,
    database,
    settings,
    exchange: new Exchange({ ...base, client, pauseMs, onCall }),
    timeoutMs,
    callbackUrl: (_kind, _tenantId, reference) => callbackUrl(reference),
  });
}
