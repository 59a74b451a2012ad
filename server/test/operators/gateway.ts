import type { TestContext } from 'node:test';
import {
  type Api,
  apiOf,
  type TestGateway,
  type TestGatewayOptions,
  testGateway,
  testKey,
} from '../support/gateway.ts';
import { type Provider, startProvider } from './provider.ts';

export interface LiveGateway extends TestGateway {
  provider: Provider;
  /** With a live key. */
  live: Api;
}

/** The settings of an operator that is this provider. */
export function operatorEnvironment(
  operator: 'CVMOVEL' | 'UNITEL_TMAIS',
  provider: Provider,
  change: Record<string, string> = {},
): Record<string, string> {
  const settings = {
    URL: provider.url,
    SECRET: 'secret',
    ACCOUNT: 'organisationid@1234',
    ...change,
  };
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`OPERATOR_${operator}_${name}`, value]),
  );
}

/** A gateway whose CVMOVEL is a provider on loopback, and a live key. */
export async function liveGateway(
  context: TestContext,
  change: Record<string, string> = {},
  options: TestGatewayOptions = {},
): Promise<LiveGateway> {
  const provider = await startProvider(context);
  const environment = {
    ...operatorEnvironment('CVMOVEL', provider, change),
    ...options.environment,
  };
  const gateway = await testGateway(context, { ...options, environment });
  provider.callbackOrigin = gateway.url;
  const live = apiOf(gateway.url, await testKey(gateway.database, 'live'));
  return { ...gateway, provider, live };
}
