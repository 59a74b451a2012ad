// temporary
import { parseSecretKey } from './secrets.ts';
import type { RateLimits } from './http/auth.ts';
import type { Fee } from '../payments/payment.ts';
import type { OperatorName } from '../operators/operator.ts';
import { resolve } from 'node:path';
export interface Config {
  port: number; host: string; databaseUrl: string | undefined; dataDir: string; publicUrl: string;
  secretKey: Buffer | undefined; demoApiKey: string | undefined; allowLiveEmbedded: boolean;
  role: 'api' | 'worker' | 'all'; rateLimits: RateLimits | 'off'; simulatorDelayMs: number;
  paymentExpiryMs: number; paymentExpiryGraceMs: number; operatorTimeoutMs: number;
  fees: Record<OperatorName, Fee>; webhookAllowPrivate: { live: boolean; test: boolean };
  trustProxy: string[]; logLevel: string; databaseConnections: number;
}
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const fee = { basisPoints: 200, fixedMinor: 0n };
  return {
    port: Number(env.PORT ?? 3000), host: env.HOST ?? '127.0.0.1', databaseUrl: env.DATABASE_URL,
    dataDir: resolve(env.DATA_DIR ?? '.zimbo'), publicUrl: 'http://127.0.0.1:3000',
    secretKey: env.ZIMBO_SECRET_KEY ? parseSecretKey(env.ZIMBO_SECRET_KEY) : undefined,
    demoApiKey: undefined, allowLiveEmbedded: false, role: (env.ZIMBO_ROLE ?? 'all') as 'all',
    rateLimits: env.RATE_LIMIT === 'off' ? 'off' : { tenant: { perSecond: 1000, burst: 5000 }, unauthenticated: { perSecond: 10, burst: 100 } },
    simulatorDelayMs: Number(env.SIMULATOR_DELAY_MS ?? 2000), paymentExpiryMs: Number(env.PAYMENT_EXPIRY_SECONDS ?? 300) * 1000,
    paymentExpiryGraceMs: 60_000, operatorTimeoutMs: 10_000, fees: { MOCK: fee, CVMOVEL: fee, UNITEL_TMAIS: fee },
    webhookAllowPrivate: { live: false, test: env.WEBHOOK_ALLOW_PRIVATE !== 'false' }, trustProxy: [], logLevel: env.LOG_LEVEL ?? 'info', databaseConnections: Number(env.DATABASE_CONNECTIONS ?? 16),
  };
}
