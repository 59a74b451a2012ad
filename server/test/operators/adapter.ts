import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { CallOutcome } from '../../src/integrations/operators/adapter.ts';
import type { CallbackKind } from '../../src/integrations/operators/callback-token.ts';
import { createGsmaClient } from '../../src/integrations/operators/gsma/client.ts';
import { Exchange } from '../../src/integrations/operators/gsma/exchange.ts';
import { GsmaOperator } from '../../src/integrations/operators/gsma/operator.ts';
import type {
  DebitRequest,
  DisbursementRequest,
  ReversalRequest,
} from '../../src/integrations/operators/operator.ts';
import { loadConfig } from '../../src/platform/config/config.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { cleanUp } from '../support/cleanup.ts';
import { silentLog, testDatabase } from '../support/database.ts';
import { addTenants } from '../support/tenants.ts';
import { operatorEnvironment } from './gateway.ts';
import { type Provider, startProvider } from './provider.ts';

interface Options {
  callbackUrl?: (reference: string, kind: CallbackKind) => string;
  /** How long calls pause for an operator that is down. */
  pauseMs?: number;
  timeoutMs?: number;
  onCall?: (outcome: CallOutcome) => void;
}

/** The adapter alone, connected to a provider. */
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
    callbackUrl: (kind, _tenantId, reference) => callbackUrl(reference, kind),
  });
}

const tenantId = randomUUID();

/** A provider, and the adapter on a database that has the tenant of {@link debitRequest}. */
export async function startGsma(
  context: TestContext,
  settings: Record<string, string> | ((provider: Provider) => Record<string, string>) = {},
  options: Options = {},
): Promise<{ provider: Provider; operator: GsmaOperator }> {
  const { database } = await testDatabase(context);
  await addTenants(database, tenantId);
  const provider = await startProvider(context);
  const change = typeof settings === 'function' ? settings(provider) : settings;
  return { provider, operator: gsmaOperator(context, database, provider, change, options) };
}

/** A debit for the adapter; each has a reference of its own. */
export const debitRequest = (change: Partial<DebitRequest> = {}): DebitRequest => ({
  tenantId,
  reference: randomUUID(),
  operator: 'CVMOVEL',
  amountMinor: 100n,
  currency: 'CVE',
  phone: '+2389910345',
  expiresAtMs: Date.now() + 60_000,
  abandoned: false,
  repeated: false,
  ...change,
});

/** A return for the adapter, of the debit TX-DEBIT. */
export const reversalRequest = (change: Partial<ReversalRequest> = {}): ReversalRequest => ({
  ...debitRequest(),
  kind: 'REFUND',
  operatorTxId: 'TX-DEBIT',
  ...change,
});

/** A disbursement for the adapter; each has a reference of its own. */
export const disbursementRequest = (
  change: Partial<DisbursementRequest> = {},
): DisbursementRequest => ({
  tenantId,
  reference: randomUUID(),
  operator: 'CVMOVEL',
  amountMinor: 100n,
  currency: 'CVE',
  phone: '+2389910345',
  repeated: false,
  ...change,
});
