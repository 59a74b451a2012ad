import type { TestContext } from 'node:test';
import {
  type Api,
  apiOf,
  type TestGateway,
  type TestGatewayOptions,
  testGateway,
  testKey,
} from '../support/gateway.ts';
import { startWallet, type Wallet } from './wallet.ts';
import './plugged-in.ts';

export interface WalletGateway extends TestGateway {
  wallet: Wallet;
  /** With a live key. */
  live: Api;
}

/** The settings of an operator that is this wallet. */
export function walletEnvironment(
  wallet: Wallet,
  change: Record<string, string> = {},
): Record<string, string> {
  const settings = {
    ADAPTER: 'wallet',
    URL: wallet.url,
    SECRET: 'secret',
    ACCOUNT: 'walletid@loja',
    CALLBACK_SECRET: wallet.callbackSecret,
    ...change,
  };
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`OPERATOR_UNITEL_TMAIS_${name}`, value]),
  );
}

/** A gateway whose UNITEL_TMAIS is a wallet on loopback. */
export async function walletGateway(
  context: TestContext,
  change: Record<string, string> = {},
  options: TestGatewayOptions = {},
): Promise<WalletGateway> {
  const wallet = await startWallet(context);
  const environment = { ...walletEnvironment(wallet, change), ...options.environment };
  const gateway = await testGateway(context, { ...options, environment });
  wallet.callbackOrigin = gateway.url;
  const live = apiOf(gateway.url, await testKey(gateway.database, 'live'));
  return { ...gateway, wallet, live };
}
