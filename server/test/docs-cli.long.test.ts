import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runBash, startedCheckout } from './support/docs-checkout.ts';
import { freePort } from './support/free-port.ts';
import { blocksOf, lacks, read, root } from './support/pages.ts';
import { sharedGateway } from './support/shared-gateway.ts';

const program = join(root, 'server', 'bin', 'zimbo.js');

test('runs the examples of the command line', {
  skip: lacks('bash'),
}, async (context) => {
  const { url, key } = await sharedGateway();
  const folder = await startedCheckout(context, url, key);
  const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${program}' "$@"\n`;
  await writeFile(join(folder, 'npx'), npx, { mode: 0o755 });
  const prelude = 'set -eu -o pipefail\nexport DATA_DIR=$PWD/.zimbo PATH=$PWD:$PATH\n';
  const blocks = blocksOf(read('docs/cli.md'), 'bash').join('\n');
  const script = `${prelude}${blocks.replaceAll('4400', String(await freePort()))}\necho all of it`;
  const { output, errors } = await runBash(context, script, folder, 170_000);
  assert.match(output, /\nall of it\n$/, errors + output);
  assert.doesNotMatch(errors, /error|[A-Z]_[A-Z]/);
  assert.match(output, /^checkout\.completed {2}cs_\w+ {2}COMPLETED {2}\(signature verified\)$/m);
});
