import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { configurationProblems, loadConfig } from './config.ts';
import { secretsOf } from './secret-files.ts';
import { variables } from './variables.ts';

const base64 = (fill: number) => Buffer.alloc(32, fill).toString('base64');

/** A valid value for each secret; operators share one value per setting. */
const values: Record<string, string> = {
  DATABASE_URL: 'postgres://zimbo:hunter2@db.internal/zimbo',
  ZIMBO_SECRET_KEY: base64(1),
  ZIMBO_SECRET_KEY_PREVIOUS: base64(2),
  OIDC_CLIENT_SECRET: 'hunter2-of-the-provider',
  BACKUP_VERIFY_DATABASE_URL: 'postgres://zimbo:hunter2@db.internal/verify',
  SMTP_URL: 'smtps://zimbo:hunter2@mail.example.cv:465',
  NOTICE_WEBHOOK_URL: 'https://alerts.example.cv/hunter2',
  NOTICE_WEBHOOK_SECRET: `whsec_${base64(3)}`,
};
const valueFor = (name: string) => values[name] ?? `hunter2-hunter2-${name}`;

/** The other settings that the secrets require. */
const others = {
  OIDC_ISSUER: 'https://login.example.cv',
  OIDC_CLIENT_ID: 'zimbo',
  MAIL_FROM: 'zimbo@example.cv',
  OPERATOR_CVMOVEL_URL: 'https://api.operator.example/mm',
  OPERATOR_CVMOVEL_ACCOUNT: 'organisationid@1',
  OPERATOR_UNITEL_TMAIS_URL: 'https://api.operator.example/mm',
  OPERATOR_UNITEL_TMAIS_ACCOUNT: 'organisationid@2',
};

const secrets = secretsOf(variables);

function folder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'zimbo-secrets-'));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('reads every secret from a file, with the same result as from the environment', (context) => {
  for (const name of ['DATABASE_URL', 'ZIMBO_SECRET_KEY', 'ZIMBO_SECRET_KEY_PREVIOUS'])
    assert.ok(secrets.includes(name), name);
  const inFolder = folder(context);
  const given = { ...others, ...Object.fromEntries(secrets.map((name) => [name, valueFor(name)])) };
  const files = secrets.map((name) => {
    writeFileSync(join(inFolder, name), `${valueFor(name)}\r\n`);
    return [`${name}_FILE`, join(inFolder, name)];
  });
  const fromFiles = { ...others, ...Object.fromEntries(files) };
  for (const use of ['gateway', 'command'] as const)
    assert.deepEqual(loadConfig(fromFiles, use), loadConfig(given, use));
  assert.equal(loadConfig(fromFiles).databaseUrl, values.DATABASE_URL);
});

test('refuses a file and a value at once, and names both settings', (context) => {
  const file = join(folder(context), 'secret');
  for (const name of secrets) {
    writeFileSync(file, valueFor(name));
    const problems = configurationProblems({ [name]: valueFor(name), [`${name}_FILE`]: file });
    assert.ok(problems.includes(`${name}_FILE and ${name} are both set: keep one of them.`), name);
  }
});

test('reports a file that is unreadable, empty, too large or not a file, once', (context) => {
  const inFolder = folder(context);
  const file = (name: string, content: string) => {
    writeFileSync(join(inFolder, name), content);
    return join(inFolder, name);
  };
  mkdirSync(join(inFolder, 'directory'));
  const cases: [string, RegExp][] = [
    [join(inFolder, 'missing'), /cannot be read \(ENOENT\)/],
    [join(inFolder, 'directory'), /is not a file/],
    ['/dev/zero', /is not a file/],
    [file('empty', ' \n'), /is empty/],
    [file('large', 'hunter2'.repeat(10_000)), /is larger than 64 KiB/],
  ];
  const key = file('key', base64(1));
  for (const [path, why] of cases) {
    for (const name of secrets) {
      const setting = `${name}_FILE`;
      const environment = { ZIMBO_SECRET_KEY_FILE: key, ...others, [setting]: path };
      const ofSetting = configurationProblems(environment).filter((line) => line.includes(name));
      const own = ofSetting.filter((line) => line.startsWith(`${setting} names "${path}", which `));
      assert.equal(own.length, 1, `${setting}: ${ofSetting.join()}`);
      assert.match(own[0]!, why);
      assert.match(own[0]!, new RegExp(`For example: ${setting}=/run/secrets/`));
      assert.ok(
        !ofSetting.some((line) => line.startsWith(`${name} is required`)),
        `${ofSetting.join()}`,
      );
    }
  }
});

test('never reveals the content of a file', (context) => {
  const wrong = join(folder(context), 'secret');
  writeFileSync(wrong, 'hunter2\nhunter2');
  for (const name of secrets) {
    const problems = configurationProblems({ ...others, [`${name}_FILE`]: wrong }).join('\n');
    assert.match(problems, new RegExp(`^${name}_FILE must name a file that contains `, 'm'));
    assert.doesNotMatch(problems, /hunter2/);
  }
});
