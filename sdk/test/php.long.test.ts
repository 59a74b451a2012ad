/** The PHP library against a gateway, and its vectors, as far as PHP and PHPUnit are there. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { testGateway } from '../../server/test/support/gateway.ts';
import { blocksOf, read } from '../../server/test/support/pages.ts';
import { testReceiver } from '../../server/test/support/receiver.ts';
import { methods } from '../scripts/methods.ts';

const run = promisify(execFile);
const operations = Object.keys(methods).length;
const inLibrary = { cwd: join(import.meta.dirname, '..', 'php'), timeout: 120_000 };

const answers = (...command: string[]) => spawnSync(command[0]!, command.slice(1)).status === 0;
const isNew = 'exit(PHP_VERSION_ID >= 80100 ? 0 : 1);';
const skip = !answers('php', '-r', isNew) && 'there is no PHP from 8.1';
const skipUnits = skip || (!answers('phpunit', '--version') && 'there is no phpunit');

test('parses in PHP', { skip }, async () => {
  const files = globSync('{src,tests}/**/*.php', { cwd: inLibrary.cwd });
  assert.ok(files.length > 70);
  await Promise.all(files.map((file) => run('php', ['-l', file], inLibrary)));
});

test('runs the vectors in PHP', { skip: skipUnits }, async () => {
  const { stdout } = await run(
    'phpunit',
    ['--bootstrap', 'tests/autoload.php', 'tests'],
    inLibrary,
  );
  assert.match(stdout, /^OK \(/m);
});

test('runs the blocks of the README of the PHP library', { skip }, async (context) => {
  const { url, key } = await testGateway(context);
  const env = { ...process.env, ZIMBO_URL: url, ZIMBO_API_KEY: key };
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-php-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const options = ['-d', `auto_prepend_file=${join(inLibrary.cwd, 'tests', 'autoload.php')}`];
  // Those between are receivers, which have a test of their own.
  const all = blocksOf(read('sdk/php/README.md'), 'php');
  const blocks = [all[0]!, all.at(-1)!];
  const printed = await Promise.all(
    blocks.map(async (block, index) => {
      const file = join(folder, `${index}.php`);
      await writeFile(file, `<?php\n${block.replace("require 'vendor/autoload.php';", '')}`);
      return run('php', [...options, file], { ...inLibrary, env });
    }),
  );
  assert.match(printed[0]!.stdout, /^pi_\w+ CREATED\npi_\w+ 10000\nVALIDATION_ERROR amount$/m);
  assert.equal(printed[1]!.stdout, 'evt_1 unknown\n');
});

test('takes no half of an answer for a whole one in PHP', { skip }, async (context) => {
  const half = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\na,b\n\r\n';
  const server = createServer((socket) => socket.once('data', () => socket.end(half)));
  context.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const program = `require 'tests/autoload.php';
    foreach ([new Zimbo\\StreamSender(), null] as $sender) {
      $zimbo = new Zimbo\\Zimbo('sk_test_x', 'http://127.0.0.1:${port}', maxRetries: 0, sender: $sender);
      try {
        $zimbo->settlements->itemsCsv('st_1');
      } catch (Zimbo\\ZimboException $error) {
        echo $error->errorCode, ' ';
      }
    }`;
  const { stdout } = await run('php', ['-r', program], inLibrary);
  assert.equal(stdout, 'CONNECTION_FAILED CONNECTION_FAILED ');
});

for (const [name, options] of Object.entries({
  'as it is installed': [],
  'by streams alone': ['-d', 'disable_functions=curl_init', '-d', 'disable_classes=CurlHandle'],
})) {
  test(`calls every operation of a gateway from PHP, ${name}`, { skip }, async (context) => {
    const { url, key } = await testGateway(context);
    const receiver = await testReceiver(context);
    const env = { ...process.env, ZIMBO_URL: url, ZIMBO_API_KEY: key, RECEIVER_URL: receiver.url };
    const { stdout } = await run('php', [...options, 'tests/story.php'], { ...inLibrary, env });
    assert.match(stdout, new RegExp(`^${operations} operations, .*: done$`, 'm'));
  });
}
