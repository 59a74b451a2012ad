import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/support/database.ts';
import { runZimbo } from '../../test/support/zimbo.ts';

test('changes what a merchant may disburse, and shows it', async (context) => {
  const { url } = await testDatabase(context);
  const zimbo = async (...args: string[]) => {
    const { ended, output } = runZimbo(context, args, { DATABASE_URL: url });
    return { code: await ended, ...output };
  };
  const { id } = JSON.parse((await zimbo('merchants', 'create', '--name', 'A', '--json')).stdout);
  const disbursements = (...args: string[]) => zimbo('merchants', 'disbursements', id, ...args);

  assert.match((await disbursements()).stdout, /^Live keys +may not disburse$/m);
  const amounts = ['--max', '5000', '--max-per-day', '50000', '--max-per-wallet-and-day', '100.50'];
  const changed = await disbursements('--allow', 'yes', ...amounts, '--json');
  const terms = {
    allowed: true,
    maxDisbursement: '500000',
    maxDisbursedPerDay: '5000000',
    maxDisbursedPerWalletAndDay: '10050',
    keepBalance: { CVE: null, AOA: null },
  };
  assert.deepEqual(JSON.parse(changed.stdout), terms);
  const less = await disbursements('--max-per-day', 'none', '--json');
  assert.deepEqual(JSON.parse(less.stdout), { ...terms, maxDisbursedPerDay: null });
  const { stdout } = await disbursements();
  assert.match(stdout, /^Live keys +may disburse$/m);
  assert.match(stdout, /^In a day +no limit$/m);
  assert.match(stdout, /^In a day to one wallet +100\.50$/m);

  const { code, stderr } = await disbursements('--max', '0');
  assert.equal(code, 1);
  assert.match(stderr, /maxDisbursement must be 1 to/);
  const unknown = await zimbo('merchants', 'disbursements', 'me_nobody');
  assert.match(unknown.stderr, /no merchant "me_nobody"/);
});
