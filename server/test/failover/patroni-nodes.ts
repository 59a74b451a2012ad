/**
 * The files of deploy/patroni for three machines, with the names, ports, paths and certificates of
 * the test.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { OsUser } from '../../src/platform/postgres/embedded/os-user.ts';
import { freePort } from '../support/free-port.ts';
import { blocksOf, read } from '../support/pages.ts';
import type { InstalledServer } from './patroni-programs.ts';

const page = read('deploy/patroni/README.md');
/** The addresses of the machines on the page. */
const addresses = ['10.0.0.11', '10.0.0.12', '10.0.0.13'];
const names = ['a', 'b', 'c'];
/** The collation provider of the page needs PostgreSQL 17; older ones get another. */
const ofBuiltinLocale = /^ +- (locale-provider|builtin-locale): .*\n/gm;
const firstWithBuiltinLocale = 17;

/** The properties of one machine. */
export interface NodeFiles {
  name: string;
  folder: string;
  ports: Ports;
  /** The configurations of Patroni and etcd. */
  environment: Record<string, string>;
}

interface Ports {
  postgres: number;
  patroni: number;
  etcd: number;
  peers: number;
}

export interface ClusterFiles {
  nodes: NodeFiles[];
  /** The page's DATABASE_URL, for the gateway. */
  url: string;
  /** For the superuser, who sees all sessions. */
  adminUrl: string;
  /** The certificate of the authority. */
  certificate: string;
}

export interface Place {
  folder: string;
  server: InstalledServer;
  /** The user that runs PostgreSQL; undefined for the user of the test. */
  user: OsUser | undefined;
}

/** Writes the files of the page into a folder for each machine. */
export async function writeNodes(place: Place): Promise<ClusterFiles> {
  const ports: Ports[] = [];
  for (const _ of names) ports.push(await freePorts());
  const secrets = new Map<string, string>();
  const nodes = names.map((name, index): NodeFiles => {
    const folder = join(place.folder, name);
    mkdirSync(folder);
    certify(folder, { address: addresses[index]!, isFirst: index === 0, authority: place.folder });
    const moved = (text: string) => ownPaths(ownPorts(text, ports, index), folder);
    writeFileSync(join(folder, 'patroni.yaml'), moved(configuration(place, folder)));
    writeFileSync(join(folder, 'make-database.sh'), read('deploy/patroni/make-database.sh'), {
      mode: 0o755,
    });
    const environment = environmentOf(name, moved, secrets);
    environment.ETCD_DATA_DIR = join(folder, 'etcd');
    if (place.user) giveTo(place.user, folder);
    return { name, folder, ports: ports[index]!, environment };
  });
  const certificate = join(place.folder, 'ca.crt');
  const [, given = ''] = /^DATABASE_URL='(.*)'$/m.exec(page) ?? assert.fail('no DATABASE_URL');
  const url = given
    .replace(':password@', `:${secrets.get('DATABASE_PASSWORD')!}@`)
    .replace(/10\.0\.0\.1\d/g, (address) => hostOf(ports[addresses.indexOf(address)]!))
    .replace('/etc/zimbo/database-ca.crt', certificate);
  const adminUrl = url
    .replace(/\/\/.*?@/, `//postgres:${secrets.get('PATRONI_SUPERUSER_PASSWORD')!}@`)
    .replace('/zimbo?', '/postgres?');
  return { nodes, url, adminUrl, certificate };
}

const hostOf = ({ postgres }: Ports) => `127.0.0.1:${postgres}`;

async function freePorts(): Promise<Ports> {
  const [postgres, patroni, etcd, peers] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  return { postgres, patroni, etcd, peers };
}

/** The commands of the page: the authority once, then a certificate for each machine. */
function certify(
  folder: string,
  { address, isFirst, authority }: { address: string; isFirst: boolean; authority: string },
): void {
  const block = blocksOf(page, 'sh').find((text) => text.includes('openssl')) ?? assert.fail();
  const [ofAuthority, ofMachine] = block.split(/^(?=openssl req -newkey)/m);
  const commands = (isFirst ? ofAuthority! : '') + ofMachine!.replace(addresses[0]!, '127.0.0.1');
  assert.notEqual(commands, ofMachine, `${address} is on the page`);
  const made = spawnSync('sh', ['-euc', commands], { cwd: authority, encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  mkdirSync(join(folder, 'tls'));
  for (const name of ['server.key', 'server.crt'])
    renameSync(join(authority, name), join(folder, 'tls', name));
  copyFileSync(join(authority, 'ca.crt'), join(folder, 'tls', 'ca.crt'));
  chmodSync(join(folder, 'tls', 'server.key'), 0o600);
}

function configuration({ server }: Place, folder: string): string {
  const text = read('deploy/patroni/patroni.yaml')
    .replaceAll('/var/lib/postgresql/18/zimbo', join(folder, 'data'))
    .replaceAll('/usr/lib/postgresql/18/bin', server.binaries)
    .replaceAll('/run/patroni', folder)
    .replaceAll('10.0.0.0/24', '127.0.0.1/32');
  return server.major < firstWithBuiltinLocale ? text.replace(ofBuiltinLocale, '') : text;
}

const ownPaths = (text: string, folder: string) => text.replaceAll('/etc/patroni', folder);

/** Gives each machine its own ports, because all three run on one. */
function ownPorts(text: string, ports: readonly Ports[], own: number): string {
  const portOf = { 5432: 'postgres', 8008: 'patroni', 2379: 'etcd', 2380: 'peers' } as const;
  return text.replace(/(10\.0\.0\.1\d|0\.0\.0\.0|127\.0\.0\.1):(\d{4})/g, (_, address, port) => {
    const machine = addresses.includes(address) ? addresses.indexOf(address) : own;
    return `127.0.0.1:${ports[machine]![portOf[port as unknown as keyof typeof portOf]]}`;
  });
}

/** The page leaves passwords open; all machines get the same. */
function environmentOf(
  name: string,
  moved: (text: string) => string,
  secrets: Map<string, string>,
): Record<string, string> {
  const index = names.indexOf(name);
  const own = read('deploy/patroni/node.env.example')
    .replace(/^(\w+_NAME)=a$/gm, `$1=${name}`)
    .replaceAll(/^(?!ETCD_INITIAL_CLUSTER=)(.*)$/gm, (line) =>
      line.replaceAll(addresses[0]!, addresses[index]!),
    );
  const environment: Record<string, string> = {};
  for (const [, variable = '', value = ''] of moved(own).matchAll(/^(\w+)=(.*)$/gm)) {
    if (value !== '') {
      // Here, two addresses of a machine are the same.
      const isList = variable.endsWith('_CLIENT_URLS');
      environment[variable] = isList ? [...new Set(value.split(','))].join(',') : value;
      continue;
    }
    if (!secrets.has(variable)) secrets.set(variable, randomBytes(12).toString('hex'));
    environment[variable] = secrets.get(variable)!;
  }
  return environment;
}

function giveTo(user: OsUser, folder: string): void {
  chownSync(folder, user.uid, user.gid);
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chownSync(join(folder, entry), user.uid, user.gid);
}
