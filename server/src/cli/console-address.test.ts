import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../platform/config/config.ts';
import { consoleAddress } from './console-address.ts';

test('uses the gateway of demo.env in links, unless a setting names the console’s address', async (context) => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'zimbo-data-'));
  context.after(() => rm(DATA_DIR, { recursive: true }));
  const at = (env: Record<string, string> = {}) => {
    const all = { DATA_DIR, ...env };
    return consoleAddress(loadConfig(all, 'command'), all);
  };
  assert.equal(await at(), 'http://localhost:3000');
  const key = `sk_test_${'a'.repeat(32)}`;
  const path = join(DATA_DIR, 'demo.env');
  await writeFile(path, `ZIMBO_URL=http://127.0.0.1:8123\nZIMBO_API_KEY=${key}\n`);
  assert.equal(await at(), 'http://localhost:8123');
  assert.equal(await at({ PORT: '0' }), 'http://localhost:8123');
  assert.equal(await at({ PORT: '8080' }), 'http://localhost:8080');
  assert.equal(
    await at({ CONSOLE_URL: 'https://console.example.cv' }),
    'https://console.example.cv',
  );
  assert.equal(await at({ PUBLIC_URL: 'https://pay.example.cv/x' }), 'https://pay.example.cv');
  const elsewhere = { DATABASE_URL: 'postgres://z@db/z', ZIMBO_SECRET_KEY: 'ab'.repeat(32) };
  assert.equal(await at(elsewhere), 'http://localhost:3000');
  await writeFile(path, `ZIMBO_URL=nowhere\nZIMBO_API_KEY=${key}\n`);
  assert.equal(await at(), 'http://localhost:3000');
});
