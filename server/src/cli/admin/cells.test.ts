/** The command line over /admin/v1 of a gateway with several cells. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminKey } from '../../../test/support/admin.ts';
import { commandRunner } from '../../../test/support/cell-installation.ts';
import { sharedGateway } from '../../../test/support/shared-gateway.ts';
import { staffCells } from '../../../test/support/staff-cells.ts';
import { addKeyCommands } from '../keys.ts';
import { addMerchantCommands } from '../merchants.ts';

const runnerOf = async (at: {
  url: string;
  database: Parameters<typeof adminKey>[0]['database'];
}) =>
  commandRunner({
    ZIMBO_ADMIN_KEY: (await adminKey(at)).key,
    ZIMBO_URL: at.url,
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
  });

test('a key is made where its merchant is, and a merchant in the cell of --cell', async (context) => {
  const { databases, merchants, url } = await staffCells(context);
  const zimbo = await runnerOf({ database: databases.home!, url });
  const merchant = merchants.north!;
  const key = ['keys', 'create', '--merchant', merchant, '--mode', 'test', '--json'];
  const made = await zimbo(addKeyCommands, ...key);
  assert.equal(made.code, 0, made.stderr);
  const { key: secret } = JSON.parse(made.stdout) as { key: string };
  const headers = { authorization: `Bearer ${secret}` };
  assert.equal((await fetch(`${url}/v1/payments`, { headers })).status, 200);
  const nobodys = merchant.replace(/.{8}$/, '00000000');
  const refused = await zimbo(addKeyCommands, ...key.with(3, nobodys));
  assert.match(refused.stderr, /There is no merchant/);
  const add = ['merchants', 'create', '--name', 'Loja do Sul', '--cell'];
  assert.equal((await zimbo(addMerchantCommands, ...add, 'south')).code, 0);
  const text = "SELECT name FROM merchants WHERE name = 'Loja do Sul'";
  assert.equal((await databases.south!.query({ text })).length, 1);
  assert.equal((await databases.home!.query({ text })).length, 0);
  const far = await zimbo(addMerchantCommands, ...add, 'far');
  assert.deepEqual([far.code, far.stderr], [1, 'This gateway has no cell of this name.\n']);
  const ofSouth = await zimbo(
    addMerchantCommands,
    'merchants',
    'list',
    '--json',
    '--cell',
    'south',
  );
  assert.equal(JSON.parse(ofSouth.stdout).length, 2);
});

test('a gateway of one cell makes nothing for another', async () => {
  const gateway = await sharedGateway();
  const zimbo = await runnerOf(gateway);
  const add = ['merchants', 'create', '--name', 'Loja', '--cell'];
  const refused = await zimbo(addMerchantCommands, ...add, 'north');
  assert.deepEqual([refused.code, refused.stderr], [1, 'This gateway has no cell of this name.\n']);
  assert.equal((await zimbo(addMerchantCommands, ...add, 'home')).code, 0);
});
