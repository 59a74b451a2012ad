import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from './config.ts';

test('requires all settings of single sign-on, or none', () => {
  const all = {
    OIDC_ISSUER: 'https://login.example.cv/',
    OIDC_CLIENT_ID: 'zimbo',
    OIDC_CLIENT_SECRET: 'secret',
  };
  const label = 'SSO';
  const expected = { issuer: 'https://login.example.cv/', clientId: 'zimbo', label };
  assert.deepEqual(loadConfig(all).signOn, { ...expected, clientSecret: 'secret' });
  assert.throws(
    () => loadConfig({ ...all, OIDC_CLIENT_ID: '' }),
    /Set OIDC_CLIENT_ID too, or none/,
  );
  for (const OIDC_ISSUER of ['http://login.example.cv', 'https://a@login.cv', 'login.cv']) {
    assert.throws(() => loadConfig({ ...all, OIDC_ISSUER }), /OIDC_ISSUER must be a URL/);
  }
});

test('reads payout accounts with a number, a holder and an optional BIC; pain.001 requires one', () => {
  const account = 'CV64 0005 0000 0020 1082 1514 4';
  const own = loadConfig({
    PAYOUT_FORMAT: 'pain.001',
    PAYOUT_ACCOUNT_CVE: ` ${account} ; Zimbo Pagamentos, SA ; bcat cvcv `,
    PAYOUT_ACCOUNT_AOA: '004400006729503010102;Zimbo Angola',
  }).payouts;
  assert.deepEqual(own, {
    format: 'pain.001',
    accounts: {
      CVE: {
        accountNumber: account.replaceAll(' ', ''),
        holder: 'Zimbo Pagamentos, SA',
        bic: 'BCATCVCV',
      },
      AOA: { accountNumber: '004400006729503010102', holder: 'Zimbo Angola', bic: null },
    },
  });
  for (const wrong of [
    account,
    `${account};`,
    ';Zimbo',
    'CV65 0005 0000 0020 1082 1514 4;Zimbo',
    '004400006729503010103;Zimbo',
    `${account};Zimbo;BCAT`,
    `${account};Zimbo;BCATCVCV;x`,
    `${account};${'x'.repeat(141)}`,
    `${account};Zim\u202ebo`,
  ]) {
    assert.throws(
      () => loadConfig({ PAYOUT_ACCOUNT_CVE: wrong }),
      /PAYOUT_ACCOUNT_CVE must be/,
      wrong,
    );
  }
  assert.throws(() => loadConfig({ PAYOUT_FORMAT: 'pain.001' }), /set PAYOUT_ACCOUNT_CVE/);
  assert.throws(
    () => loadConfig({ PAYOUT_FORMAT: 'pain' }),
    /PAYOUT_FORMAT must be one of csv, pain.001/,
  );
});

test('refuses incomplete backup settings, naming the missing setting with an example', () => {
  const refusal = (env: Record<string, string>) => {
    try {
      loadConfig(env);
    } catch (error) {
      return (error as Error).message;
    }
    return 'taken';
  };
  assert.match(
    refusal({ BACKUP_SCHEDULE: 'every 6 hours' }),
    /BACKUP_TO is required with BACKUP_SCHEDULE. For example: BACKUP_TO=s3:/,
  );
  const bucket = refusal({ BACKUP_TO: 's3://zimbo-backups/live' });
  for (const name of ['ENDPOINT', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY']) {
    assert.match(bucket, new RegExp(`BACKUP_S3_${name} is required with a BACKUP_TO`));
  }
  assert.match(bucket, /BACKUP_RECIPIENTS is required .* phone numbers/);
  const recipient = 'age1um3ghssp965e4vv0rrrw9cdyy5hrppc8gnx8kge8c32x6ee5g4xsd7m3zj';
  assert.match(
    refusal({ BACKUP_RECIPIENTS: recipient.replace('um3', 'um4') }),
    /BACKUP_RECIPIENTS must be/,
  );
  assert.match(refusal({ BACKUP_SCHEDULE: 'daily at 24:00' }), /daily at HH:MM/);
  assert.match(refusal({ BACKUP_TO: 'backups' }), /absolute path/);
});

test('refuses one port for both listeners, unless each has its own address', () => {
  const ports = { PORT: '3000', OPERATIONS_PORT: '3000' };
  for (const hosts of [{}, { HOST: '0.0.0.0' }, { HOST: 'localhost' }, { OPERATIONS_HOST: '::' }]) {
    const given = { ...ports, ...hosts };
    assert.throws(() => loadConfig(given), /OPERATIONS_PORT is PORT itself.*=3001/);
  }
  loadConfig({ ...ports, HOST: '10.0.0.5' });
  loadConfig({ PORT: '0', OPERATIONS_PORT: '0' });
});

test('refuses a bucket with dots for a folder, which other programs resolve', () => {
  for (const path of ['..', 'b/../x', './x', 'x/.', 'x/../']) {
    const given = { BACKUP_TO: `s3://bucket/${path}` };
    assert.throws(() => loadConfig(given), /BACKUP_TO must be/, path);
  }
});
