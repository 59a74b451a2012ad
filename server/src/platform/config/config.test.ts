import assert from 'node:assert/strict';
import { isAbsolute, join, resolve } from 'node:path';
import { test } from 'node:test';
import { StartError } from '../errors/start-error.ts';
import { loadConfig } from './config.ts';
import { operatorNames, recordOf } from './operator-catalogue.ts';
import { variables } from './variables.ts';

const root = resolve(import.meta.dirname, '..', '..', '..', '..');
const key = Buffer.alloc(32, 9).toString('base64');
const database = { DATABASE_URL: 'postgres://user:pa55@db/zimbo', ZIMBO_SECRET_KEY: key };

function problemOf(env: NodeJS.ProcessEnv, use?: 'command'): string {
  try {
    loadConfig(env, use);
  } catch (error) {
    assert.ok(error instanceof StartError);
    return error.message;
  }
  throw new Error(`expected a problem in ${JSON.stringify(env)}`);
}

test('reads OTEL_EXPORTER_OTLP_ENDPOINT, which must be a URL', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318/';
  assert.deepEqual(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing, {
    endpoint: 'http://localhost:4318',
    serviceName: 'zimbo',
    share: 1,
  });
  for (const OTEL_TRACES_SAMPLER_ARG of ['1.5', '-0.1', 'half', '5%']) {
    assert.throws(
      () => loadConfig({ OTEL_TRACES_SAMPLER_ARG }),
      /OTEL_TRACES_SAMPLER_ARG.*0 to 1/s,
    );
  }
  assert.throws(
    () => loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318', OTEL_SERVICE_NAME: 'a\nb' }),
    /OTEL_EXPORTER_OTLP_ENDPOINT must be a URL.*OTEL_SERVICE_NAME must be a name/s,
  );
});

const noDisbursements = {
  isOn: false,
  expiryMs: 86_400_000,
  fees: recordOf(operatorNames, () => ({ basisPoints: 0, fixedMinor: 0n })),
  approvalAbove: {},
  floatAlerts: { CVMOVEL: 0n, UNITEL_TMAIS: 0n },
};

test('needs no settings', () => {
  const { values, ...config } = loadConfig({});
  assert.equal(values.PORT, 3000);
  assert.deepEqual(config, {
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:3000',
    consoleUrl: 'http://localhost:3000',
    trustProxy: [],
    rateLimits: {
      tenant: { perSecond: 1000, burst: 5000 },
      unauthenticated: { perSecond: 10, burst: 100 },
    },
    webhookAllowPrivate: { live: false, test: true, isGiven: false },
    endpointLimits: { perTenant: 100, perHost: 20 },
    operations: undefined,
    logLevel: undefined,
    role: 'all',
    cells: undefined,
    processes: 1,
    tracing: undefined,
    databaseUrl: undefined,
    databaseConnections: 16,
    dataDir: join(root, '.zimbo'),
    signOn: undefined,
    mail: undefined,
    noticeWebhook: undefined,
    secretKey: undefined,
    previousSecretKey: undefined,
    retentionMs: 2_592_000_000,
    personalDataRetentionMs: 315_619_200_000,
    legalRetentionMs: 315_619_200_000,
    allowLiveEmbedded: false,
    backup: {
      to: undefined,
      schedule: undefined,
      timeZone: 'Atlantic/Cape_Verde',
      recipients: [],
      keepMs: 30 * 86_400_000,
      keepLast: 7,
      isVerified: true,
      verifyDatabaseUrl: undefined,
      s3: undefined,
    },
    fees: recordOf(operatorNames, () => ({ basisPoints: 200, fixedMinor: 0n })),
    paymentExpiryMs: 300_000,
    promptLimits: {
      ofMerchant: 10,
      inAll: 30,
      pausesMs: [0, 60_000, 300_000, 900_000, 3_600_000],
    },
    paymentExpiryGraceMs: 60_000,
    operatorTimeoutMs: 10_000,
    page: {
      attemptsPerPhone: { live: { count: 5, windowMs: 900_000 }, test: undefined },
      attemptsPerAddress: { live: { count: 60, windowMs: 900_000 }, test: undefined },
      streams: 2_000,
    },
    operators: {},
    paymentReviewAfterMs: 86_400_000,
    paymentWatchMs: 259_200_000,
    simulatorDelayMs: 2_000,
    dailySettlement: { hour: 2, timeZone: 'Atlantic/Cape_Verde' },
    payouts: { format: 'csv', accounts: {} },
    company: { name: null, taxNumber: null, address: null, feeTaxBasisPoints: {} },
    refundApprovalAbove: {},
    fourEyes: new Set(),
    disbursements: noDisbursements,
  });
});

test('treats an empty text as not set', () => {
  const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, '']));
  assert.deepEqual(loadConfig(empty), loadConfig({}));
});

test('reads every setting', () => {
  const config = loadConfig({
    ...database,
    PORT: '0',
    HOST: '::1',
    PUBLIC_URL: 'https://pay.example.cv/gateway/',
    DATA_DIR: 'elsewhere',
    ZIMBO_ALLOW_LIVE_EMBEDDED: 'true',
    ZIMBO_ROLE: 'worker',
    RATE_LIMIT: '5/6',
    RATE_LIMIT_UNAUTHORIZED: '7/8',
    SIMULATOR_DELAY_MS: '0',
    PAYMENT_EXPIRY_SECONDS: '1',
    PAYMENT_EXPIRY_GRACE_SECONDS: '0',
    OPERATOR_TIMEOUT_SECONDS: '3',
    FEE_CVMOVEL: '150+50',
    FEE_MOCK: '0',
    TRUST_PROXY: '10.0.0.0/8, fd00::/8,192.168.1.7',
    LOG_LEVEL: 'silent',
    DATABASE_CONNECTIONS: '4',
    PAGE_ATTEMPTS_PER_PHONE: '3/10',
    PAGE_STREAMS: '0',
    PAYMENT_WATCH_HOURS: '0.5',
  });
  assert.equal(config.paymentWatchMs, 1_800_000);
  const phoneQuota = { count: 3, windowMs: 600_000 };
  assert.deepEqual(config.page.attemptsPerPhone, { live: phoneQuota, test: phoneQuota });
  assert.equal(config.page.streams, 0);
  assert.equal(config.port, 0);
  assert.equal(config.host, '::1');
  assert.equal(config.publicUrl, 'https://pay.example.cv/gateway');
  assert.equal(config.dataDir, resolve('elsewhere'));
  assert.ok(isAbsolute(config.dataDir));
  assert.equal(config.databaseUrl, database.DATABASE_URL);
  assert.deepEqual(config.secretKey, Buffer.alloc(32, 9));
  assert.equal(config.allowLiveEmbedded, true);
  assert.equal(config.role, 'worker');
  assert.deepEqual(config.rateLimits, {
    tenant: { perSecond: 5, burst: 6 },
    unauthenticated: { perSecond: 7, burst: 8 },
  });
  assert.equal(config.simulatorDelayMs, 0);
  assert.equal(config.paymentExpiryMs, 1_000);
  assert.equal(config.paymentExpiryGraceMs, 0);
  assert.equal(config.operatorTimeoutMs, 3_000);
  assert.deepEqual(config.fees.CVMOVEL, { basisPoints: 150, fixedMinor: 50n });
  assert.deepEqual(config.fees.MOCK, { basisPoints: 0, fixedMinor: 0n });
  assert.deepEqual(config.trustProxy, ['10.0.0.0/8', 'fd00::/8', '192.168.1.7']);
  assert.equal(config.logLevel, 'silent');
  assert.equal(config.databaseConnections, 4);
  assert.equal(loadConfig({ RATE_LIMIT: 'off' }).rateLimits, 'off');
  assert.equal(loadConfig({ RETENTION_DAYS: '2' }).retentionMs, 172_800_000);
  for (const never of ['off', '0'])
    assert.equal(loadConfig({ RETENTION_DAYS: never }).retentionMs, undefined);
  assert.equal(loadConfig({ HOST: '::1' }).publicUrl, 'http://[::1]:3000');
  assert.equal(loadConfig({ HOST: 'fe80::1%eth0' }).publicUrl, 'http://[fe80::1]:3000');
});

test('derives the URL of the console from PUBLIC_URL, with a host name that supports passkeys', () => {
  const consoleUrl = (env: NodeJS.ProcessEnv) => loadConfig(env).consoleUrl;
  assert.equal(consoleUrl({ PORT: '8080', HOST: '::1' }), 'http://localhost:8080');
  assert.equal(
    consoleUrl({ PUBLIC_URL: 'https://pay.example.cv/gateway' }),
    'https://pay.example.cv',
  );
  const given = { CONSOLE_URL: 'https://console.example.cv/' };
  assert.equal(consoleUrl({ ...given, HOST: '0.0.0.0' }), 'https://console.example.cv');
  assert.equal(consoleUrl({ CONSOLE_URL: 'http://localhost:8080' }), 'http://localhost:8080');
});

test('reports all problems at once, each with the variable, the rule and an example', () => {
  const message = problemOf({
    PORT: '65536',
    RATE_LIMIT: '0/5',
    LOG_LEVEL: 'loud',
    FEE_MOCK: '10001',
  });
  assert.equal(message.match(/^- /gm)?.length, 4);
  assert.match(
    message,
    /^- PORT must be an integer from 0 to 65535; not "65536"\. For example: PORT=8080$/m,
  );
  for (const name of ['RATE_LIMIT', 'LOG_LEVEL', 'FEE_MOCK'])
    assert.match(message, new RegExp(`- ${name} must be`));
});

test('refuses values that only look valid', () => {
  const wrong: Record<string, string[]> = {
    PORT: ['-1', '3000.5', '0x10', '1e3', ' 80', 'abc'],
    HOST: ['http://localhost', 'localhost:3000', 'a b', '10.0.0.256', 'node.1'],
    PUBLIC_URL: ['pay.example.cv', 'ftp://example.cv', 'https://u:p@example.cv', 'https://a/?b'],
    CONSOLE_URL: [
      'http://pay.example.cv',
      'https://203.0.113.7',
      'https://[2001:db8::1]',
      'http://127.0.0.1:3000',
      'https://pay.example.cv/console',
    ],
    DATABASE_URL: [
      'mysql://db/zimbo',
      'db',
      'postgres://u:p#w@db/zimbo',
      'postgres://a,b/zimbo?target_session_attrs=any',
      'postgres://a,b,/zimbo',
      'postgres://db/zimbo?sslmode=',
      'postgres://a,b/zimbo?sslmode=verify',
      'postgres://db/zimbo?ssl=false',
      'postgres://db/zimbo?sslmode=disable ',
      'postgres://db/zimbo?sslmode=disable%20',
      'postgres://db/zimbo?sslmode=verify-full&sslmode=disable',
      'postgres://db/zimbo?sslmod=verify-full',
      'postgres://db/zimbo?SSLMODE=verify-full',
      'postgres://db/zimbo?schema=zimbo',
      'postgres://db/zimbo?channel_binding=require',
      'postgres://db/zimbo?target_session_attrs=standby',
      'postgres://zimbo:zi%mbo@db/zimbo',
      ' postgres://db/zimbo',
    ],
    ZIMBO_SECRET_KEY: ['secret', 'ab'.repeat(31), '00'.repeat(32), 'A'.repeat(43)],
    SETTLEMENT_TIME_ZONE: ['Praia', '+05:00', '-01:00', '2026-01-01T00:00Z'],
    ZIMBO_ALLOW_LIVE_EMBEDDED: ['yes', '1', 'TRUE'],
    PAGE_ATTEMPTS_PER_PHONE: ['5', '0/5', '5/0', 'off'],
    PROMPTS_PER_PHONE: ['10', '30/10', '0/5', 'on'],
    RATE_LIMIT: ['1000', '1000/0', 'on', '-1/5'],
    FEE_CVMOVEL: ['2%', '200+', '+50', '-1', '1.5'],
    TRUST_PROXY: ['1', 'proxy', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.1,', 'fe80::1%eth0'],
    DATABASE_CONNECTIONS: ['0'],
    RETENTION_DAYS: ['never', '-1', '0.5', '36501'],
    PAYMENT_WATCH_HOURS: ['0', '0.0', '-1', '.5', '1e2', '8760.1', 'off'],
  };
  for (const [name, texts] of Object.entries(wrong)) {
    for (const text of texts) {
      assert.match(problemOf({ ...database, [name]: text }), new RegExp(`- ${name} must be`), text);
    }
  }
});

test('never repeats a secret', () => {
  const message = problemOf({
    DATABASE_URL: 'mysql://user:hunter2@db/zimbo',
    ZIMBO_SECRET_KEY: 'hunter3',
  });
  assert.equal(message.match(/^- /gm)?.length, 2);
  assert.doesNotMatch(message, /hunter/);
});

test('requires a secret key with DATABASE_URL, and says how to make one', () => {
  const { DATABASE_URL } = database;
  assert.match(
    problemOf({ DATABASE_URL }),
    /ZIMBO_SECRET_KEY is required[\s\S]*openssl rand -base64 32/,
  );
  assert.equal(loadConfig({ DATABASE_URL }, 'command').secretKey, undefined);
});

test('requires the current secret key beside the previous one', () => {
  assert.match(problemOf({ ZIMBO_SECRET_KEY_PREVIOUS: key }), /set both, or neither/);
  const same = { ZIMBO_SECRET_KEY: key, ZIMBO_SECRET_KEY_PREVIOUS: key };
  assert.match(problemOf(same), /is the same key as ZIMBO_SECRET_KEY/);
});

test('refuses a setting of an earlier version, and says what to do instead', () => {
  const message = problemOf({ API_DOCS: 'true', ZIMBO_DEMO_API_KEY: 'sk_test_x' });
  assert.match(message, /API_DOCS is no longer a setting; remove it\. Instead, OPERATIONS_PORT /);
  assert.match(
    message,
    /ZIMBO_DEMO_API_KEY is no longer a setting; remove it\. Instead, demo\.env /,
  );
  assert.equal(message.match(/^- /gm)?.length, 2);
  loadConfig({ API_DOCS: '' });
});

test('refuses a misspelt setting that would switch a control off', () => {
  const misspelt = {
    FEE_CVMOVIL: '200',
    FOUR_EYE: 'REFUNDS',
    OIDC_ISUER: 'https://id.example.cv',
    PAYOUT_ACCOUNT_CV: 'x',
    REFUND_APPROVAL_ABOV: 'CVE=1',
    OPERATOR_UNITEL_URL: 'https://api.unitel.example',
    OPERATOR_TIMEOUT: '10',
    TRUST_PROXIES: '10.0.0.1',
    RATE_LIMITS: '10/5',
    RETENTION_DAY: '30',
    PERSONAL_DATA_RETENTION: '30',
    SETTLEMENT_TIMEZONE: 'Africa/Luanda',
    DATABASE_CONNECTION: '4',
  };
  for (const [name, text] of Object.entries(misspelt)) {
    assert.match(problemOf({ [name]: text }), new RegExp(`${name} is not a setting`));
  }
});

test('keeps the name of a time zone, in its usual case', () => {
  for (const [given, expected] of Object.entries({
    'Asia/Kolkata': 'Asia/Kolkata',
    'europe/kyiv': 'Europe/Kyiv',
    'AFRICA/LUANDA': 'Africa/Luanda',
  })) {
    const { timeZone } = loadConfig({ SETTLEMENT_TIME_ZONE: given }).dailySettlement;
    assert.equal(timeZone, expected);
  }
});

test('refuses settings that contradict each other', () => {
  const verifying = { ...database, BACKUP_VERIFY_DATABASE_URL: database.DATABASE_URL };
  assert.match(problemOf(verifying), /BACKUP_VERIFY_DATABASE_URL is DATABASE_URL itself/);
  const folders = ['"/var/lib/zimbo"', "'/var/lib/zimbo'", '/var/lib/zimbo ', '~/zimbo'];
  for (const path of folders) assert.match(problemOf({ DATA_DIR: path }), /DATA_DIR must be/, path);
});

test('refuses a private address for notices, unless private addresses are allowed', () => {
  const secret = { NOTICE_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 'x').toString('base64')}` };
  const to = (url: string) => ({ ...secret, ...database, NOTICE_WEBHOOK_URL: url });
  for (const url of ['https://10.0.0.5/x', 'https://[fd00::1]/', 'http://127.0.0.1:9/']) {
    assert.match(problemOf(to(url)), /NOTICE_WEBHOOK_URL leads to the private address/, url);
    loadConfig({ ...to(url), WEBHOOK_ALLOW_PRIVATE: 'true' });
  }
  loadConfig(to('https://alerts.example.cv/x'));
  loadConfig({ ...secret, NOTICE_WEBHOOK_URL: 'http://127.0.0.1:9/' });
});

test('reports an unknown ZIMBO_ variable as a typo, except those that other programs set', () => {
  assert.match(problemOf({ ZIMBO_SECRET: 'x' }), /ZIMBO_SECRET is not a setting.*ZIMBO_SECRET_KEY/);
  assert.match(problemOf({ ZIMBO_PORT: '8080' }), /ZIMBO_PORT is not a setting/);
  loadConfig({
    ZIMBO_URL: 'http://127.0.0.1:3000',
    ZIMBO_API_KEY: 'sk_test_x',
    ZIMBO_SERVICE_HOST: '10.0.0.1',
    ZIMBO_SERVICE_PORT_HTTP: '80',
    ZIMBO_PORT: 'tcp://10.0.0.1:80',
    ZIMBO_PORT_80_TCP_ADDR: '10.0.0.1',
  });
});

test('allows webhooks to private addresses only for test keys on one machine, or if the setting says so', () => {
  const allowed = (env: NodeJS.ProcessEnv) => {
    const { live, test: inTest } = loadConfig(env).webhookAllowPrivate;
    return { live, test: inTest };
  };
  const onlyTest = { live: false, test: true };
  const neither = { live: false, test: false };
  assert.deepEqual(allowed({ HOST: 'localhost' }), onlyTest);
  assert.deepEqual(allowed({ HOST: '::1' }), onlyTest);
  assert.deepEqual(allowed({ HOST: '127.9.9.9', PUBLIC_URL: 'http://localhost:9' }), onlyTest);
  assert.deepEqual(allowed({ HOST: '0.0.0.0' }), neither);
  assert.deepEqual(allowed({ HOST: '127.0.0.1.example.cv' }), neither);
  assert.deepEqual(allowed({ HOST: '127.example.cv' }), neither);
  assert.deepEqual(allowed({ PUBLIC_URL: 'https://pay.example.cv' }), neither);
  assert.deepEqual(allowed({ WEBHOOK_ALLOW_PRIVATE: 'false' }), neither);
  // If several processes share the work, none learns what another has found out about a proxy.
  assert.deepEqual(allowed(database), neither);
  assert.deepEqual(allowed({ ZIMBO_ROLE: 'worker' }), neither);
  assert.deepEqual(allowed({ ZIMBO_ROLE: 'api' }), neither);
  assert.deepEqual(allowed({ ...database, WEBHOOK_ALLOW_PRIVATE: 'true' }), {
    live: true,
    test: true,
  });
  assert.deepEqual(allowed({ HOST: '0.0.0.0', WEBHOOK_ALLOW_PRIVATE: 'true' }), {
    live: true,
    test: true,
  });
});
