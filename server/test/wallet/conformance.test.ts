import type { TestContext } from 'node:test';
import { loadConfig } from '../../src/platform/config/config.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { conforms, type Subject, startCallbackReceiver } from '../operators/conformance.ts';
import { conformsPayingOut } from '../operators/disbursement-conformance.ts';
import { silentLog, testDatabase } from '../support/database.ts';
import { adapter } from './adapter.ts';
import { walletEnvironment } from './gateway.ts';
import { startWallet } from './wallet.ts';

async function startSubject(context: TestContext): Promise<Subject> {
  const { database } = await testDatabase(context);
  const wallet = await startWallet(context);
  const { url, told } = await startCallbackReceiver(context, adapter.callbacks);
  const { operator } = adapter.open({
    operator: 'UNITEL_TMAIS',
    settings: loadConfig(walletEnvironment(wallet)).operators.UNITEL_TMAIS!,
    database,
    clock: systemClock,
    wallClock: systemClock,
    log: silentLog,
    timeoutMs: 5_000,
    pauseMs: 0,
    callbackUrl: (kind, _tenantId, reference) => `${url}/${kind}/${reference}`,
    onCall: () => {},
  });
  const kinds = ['collect', 'return', 'payout'] as const;
  const carriedOut = async () => kinds.flatMap((kind) => wallet.done(kind)).length;
  return { operator, name: 'UNITEL_TMAIS', told, carriedOut };
}

conforms('the wallet', startSubject);
conformsPayingOut('the wallet', startSubject);
