/** The guide for shops, and the start of the receivers, as if pasted. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { behaviourOf } from '../src/integrations/operators/simulator/behaviour.ts';
import { runBash, startedCheckout } from './support/docs-checkout.ts';
import { freePort } from './support/free-port.ts';
import { blocksOf, lacks, read, root } from './support/pages.ts';
import { sharedGateway } from './support/shared-gateway.ts';

const program = join(root, 'server', 'bin', 'zimbo.js');

test('leads from an order to a paid payment by the blocks of the guide', {
  skip: lacks('bash', 'curl'),
  timeout: 200_000,
}, async (context) => {
  const { url, key } = await sharedGateway();
  const folder = await startedCheckout(context, url, key);
  const blocks = blocksOf(read('docs/integrating.md'), 'bash').join('\n');
  const script = `set -eu -o pipefail\n${blocks}\necho all of it`;
  const { output, errors } = await runBash(context, script, folder, 170_000);
  assert.equal(errors, '');
  assert.match(output, /\nall of it\n$/);
  assert.match(output, /^the same payment$/m);
  assert.doesNotMatch(output, /"error"/);
  for (const ending of ['345', '019', '029', '039', '049', '059', '069', '079', '099']) {
    const phone = `+2389910${ending}`;
    const { failureCode } = behaviourOf(phone);
    const said = failureCode ? `FAILED ${failureCode}` : 'DEBITED null';
    assert.ok(output.includes(`\n${phone} ${said}\n`), `${phone} ${said}`);
  }
  assert.match(output, /^\+2389910159 DEBITED null$/m);
  assert.match(output, /^order \d+ pi_\w+ DEBITED$/m);
});

test('starts a receiver by the block of its page, which hears of a payment', {
  skip: lacks('bash', 'python3'),
  timeout: 120_000,
}, async (context) => {
  const { url, key } = await sharedGateway();
  const folder = await startedCheckout(context, url, key);
  const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${program}' "$@"\n`;
  await writeFile(join(folder, 'npx'), npx, { mode: 0o755 });
  const page = read('examples/receivers/README.md');
  const [start] = blocksOf(page, 'bash');
  const trigger = blocksOf(page, 'sh').find((block) => block.includes('trigger'))!;
  const port = await freePort();
  const script = `set -eu -o pipefail
export DATA_DIR=$PWD/.zimbo PATH=$PWD:$PATH PORT=${port} RECEIVER_FOLDER=$PWD/received
${start!.replaceAll('4400', `${port}`).replace('&& python3 receiver.py', '&& exec python3 receiver.py &')}
receiver=$!
payment=$(${trigger.trim()} --json 2> /dev/null | grep -o 'pi_[a-z0-9]*' | head -1)
until [ -e received/statuses/$payment ]; do sleep 0.1; done
cat received/statuses/$payment
kill $receiver`;
  const { output, errors } = await runBash(context, script, folder, 100_000);
  assert.match(output, /^pi_\w+ DEBITED$/m, errors);
});
