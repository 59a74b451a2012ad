/**
 * The files of deploy/patroni keep the rules of the programs, and match their page. If Patroni is
 * installed, failover/patroni.long.test.ts runs them.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { urlsOf } from '../src/platform/postgres/hosts.ts';

const folder = join(import.meta.dirname, '..', '..', 'deploy', 'patroni');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

const patroni = parse(read('patroni.yaml'));
const { dcs } = patroni.bootstrap;
const page = read('README.md');
const haproxy = read('haproxy.cfg');

/** A timeout of HAProxy's file, in seconds. */
function secondsOf(setting: RegExp): number {
  const [, number] = setting.exec(haproxy) ?? assert.fail(`haproxy.cfg has no ${setting}`);
  return Number(number);
}

test('lets Patroni promote only a standby with every acknowledged commit', () => {
  assert.equal(dcs.synchronous_mode, true);
  assert.equal(dcs.synchronous_node_count, 1);
  assert.equal(dcs.postgresql.parameters.synchronous_commit, 'on');
  // Patroni sets it itself, depending on the available standbys.
  assert.equal('synchronous_standby_names' in dcs.postgresql.parameters, false);
});

test('encrypts and authenticates all traffic', () => {
  const rules: string[] = patroni.postgresql.pg_hba;
  const plain = rules.filter((rule) => !/^(local|hostssl) |127\.0\.0\.1\/32/.test(rule));
  assert.deepEqual(plain, []);
  assert.equal(patroni.postgresql.parameters.ssl, 'on');
  assert.ok(patroni.restapi.certfile && patroni.restapi.keyfile && patroni.ctl.cacert);
  const node = read('node.env.example');
  for (const role of ['SUPERUSER', 'REPLICATION'])
    assert.match(node, new RegExp(`^PATRONI_${role}_SSLMODE=verify-full$`, 'm'));
  assert.match(haproxy, /check-ssl verify required ca-file/);
  const url = /^DATABASE_URL='(.*)'$/m.exec(page)?.[1] ?? assert.fail('no DATABASE_URL');
  assert.match(url, /sslmode=verify-full&sslrootcert=/);
});

test("keeps Patroni's rules for times, which it would otherwise change", () => {
  assert.ok(dcs.ttl >= 20 && dcs.loop_wait >= 1 && dcs.retry_timeout >= 3);
  assert.ok(dcs.loop_wait + 2 * dcs.retry_timeout <= dcs.ttl);
  // Otherwise the watchdog cannot reset the machine before its lease ends.
  assert.ok(dcs.ttl - patroni.watchdog.safety_margin > dcs.loop_wait + dcs.retry_timeout);
});

test('adds up each row of the page from the settings, within 10 s for all but a lost machine', () => {
  const rows = page.matchAll(/^\| (You|Postgre|The machine)[^|]*\|(.*)\|$/gm);
  const sums = [...rows].map(([, name = '', cells = '']) => {
    const seconds = cells.split('|').map((cell) => Number(/(\d+) s/.exec(cell)?.[1] ?? 0));
    const sum = seconds.pop();
    assert.equal(
      sum,
      seconds.reduce((total, each) => total + each),
      name,
    );
    return [name, seconds[0] || seconds[1], sum];
  });
  assert.deepEqual(sums, [
    ['You', dcs.loop_wait, 5],
    ['Postgre', dcs.loop_wait, 7],
    ['The machine', dcs.ttl, 25],
  ]);
  const found = secondsOf(/inter (\d+)s .*rise 1 /) + secondsOf(/timeout check (\d+)s/);
  assert.equal(found, 2);
  assert.equal(dcs.primary_start_timeout, 0, 'Patroni does not wait for a crashed server');
});

test('routes HAProxy to the primary, and drops a former primary', () => {
  assert.match(haproxy, /^ +http-check send meth GET uri \/primary$/m);
  assert.match(haproxy, /on-marked-down shutdown-sessions/);
  const members = [...haproxy.matchAll(/^ +server \w+ ([\d.]+):5432 check port 8008$/gm)];
  const hosts = members.map(([, host = '']) => host);
  assert.deepEqual(
    patroni.etcd3.hosts,
    hosts.map((host) => `${host}:2379`),
  );
  assert.match(patroni.restapi.listen, /:8008$/);
  const [, url] = /DATABASE_URL='([^']+)'/.exec(page)!;
  assert.deepEqual(
    urlsOf(url!).map((one) => new URL(one).hostname),
    hosts,
  );
});

test('has every named file, blank secrets, and an executable script', () => {
  for (const [, name = ''] of page.matchAll(/^\| `([\w.-]+)` \|/gm)) {
    assert.ok(existsSync(join(folder, name)), name);
  }
  assert.equal(patroni.bootstrap.post_bootstrap, '/etc/patroni/make-database.sh');
  assert.ok(statSync(join(folder, 'make-database.sh')).mode & 0o111);
  assert.equal(spawnSync('sh', ['-n', join(folder, 'make-database.sh')]).status, 0);
  for (const [line, value = ''] of read('node.env.example').matchAll(/^\w+PASSWORD=(.*)$/gm)) {
    assert.equal(value, '', line);
  }
});
