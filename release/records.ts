import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

/** The commit that is released. */
export interface Commit {
  version: string;
  commit: string;
  committedAtSeconds: number;
}

export interface Release extends Commit {
  /** With the program and its packages. */
  folder: string;
}

interface Component {
  type?: 'library';
  name: string;
  version: string;
  purl?: string;
  hashes?: { alg: string; content: string }[];
  externalReferences?: { type: string }[];
  components?: Component[];
}
interface Bill extends Component {
  serialNumber: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
}

export const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The packages in the tarball as CycloneDX, by npm; values that vary between runs come from the commit. */
export function sbom({ version, commit, committedAtSeconds, folder }: Release): string {
  const only = ['--omit=dev', '--omit=optional', '--workspace=server', '--package-lock-only'];
  const format = ['--sbom-format=cyclonedx', '--sbom-type=application'];
  const manifests = versioned(folder, version);
  const bill = JSON.parse(run('npm', ['sbom', ...format, ...only], manifests)) as Bill;
  bill.metadata.component.name = 'zimbo';
  bill.serialNumber = serialNumberOf(`zimbo ${commit}`);
  bill.metadata.timestamp = new Date(committedAtSeconds * 1_000).toISOString();
  bill.components.push(...lackingIn(bill, folder));
  for (const component of [bill.metadata.component, ...bill.components]) {
    // The mirror of a package does not matter: its hash identifies it.
    component.externalReferences = (component.externalReferences ?? []).filter(
      ({ type }) => type !== 'distribution',
    );
  }
  return json(bill);
}

/** The number of a bill, which is the same for the same text. */
export function serialNumberOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const uuid = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return `urn:uuid:${[...uuid, hex.slice(20, 32)].join('-')}`;
}

/** Packages in the tarball that npm omits from the bill: dependencies of packages that the tarball omits. */
function lackingIn(bill: Bill, folder: string): Component[] {
  const known = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as {
    packages: Record<string, { version?: string; integrity?: string }>;
  };
  return Object.entries(packages).flatMap(([path, { version, integrity }]): Component[] => {
    const name = path.split('node_modules/').at(-1)!;
    const isPacked = path.includes('node_modules/') && existsSync(join(folder, path));
    if (!isPacked || !version || !integrity || known.has(`${name}@${version}`)) return [];
    const content = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return [{ type: 'library', name, version, purl, hashes: [{ alg: 'SHA-512', content }] }];
  });
}

/**
 * The manifests next to the folder, with a version for the whole, because npm makes no bill without
 * one. Development packages are removed, because npm would also omit dependencies that they share
 * with others.
 */
function versioned(folder: string, version: string): string {
  const copy = `${folder}-manifests`;
  for (const workspace of ['', 'server', 'bench', 'operator-simulator', 'sdk/typescript']) {
    mkdirSync(join(copy, workspace), { recursive: true });
    cpSync(join(folder, workspace, 'package.json'), join(copy, workspace, 'package.json'));
  }
  for (const name of ['package.json', 'package-lock.json']) {
    const manifest = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const whole of [manifest, manifest.packages?.['']].filter(Boolean)) {
      whole.version = version;
      delete whole.devDependencies;
    }
    writeFileSync(join(copy, name), json(manifest));
  }
  return copy;
}

/** Every package in the tarball with its licence; their texts are in node_modules. */
export function licences(folder: string): string {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: Record<string, object> };
  const lines = Object.keys(packages)
    .filter((path) => path.includes('node_modules/'))
    .flatMap((path) => {
      try {
        const manifest = readFileSync(join(folder, path, 'package.json'), 'utf8');
        const { name, version, license } = JSON.parse(manifest) as {
          name: string;
          version: string;
          license?: unknown;
        };
        return [`${name} ${version}: ${typeof license === 'string' ? license : 'see its folder'}`];
      } catch {
        // In the lock, but not in the tarball.
        return [];
      }
    });
  return `Zimbo: Apache-2.0\n${[...new Set(lines)].sort().join('\n')}\n`;
}

interface Built {
  subjects: { name: string; sha256: string }[];
  /** Of the Node that packed the tarball; undefined if the lock has another. */
  node: string | undefined;
}

/** An in-toto statement of SLSA provenance, unsigned: the build, its commit, lock and Node. */
export function provenance(
  { version, commit, folder }: Release,
  { subjects, node }: Built,
): string {
  const lock = createHash('sha256').update(readFileSync(join(folder, 'package-lock.json')));
  return json({
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:zimbo:release:1',
        externalParameters: { version },
        internalParameters: {
          node: process.version,
          npm: run('npm', ['--version'], folder).trim(),
        },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lock.digest('hex') } },
          ...(node === undefined ? [] : [{ name: 'node', digest: { sha256: node } }]),
        ],
      },
      runDetails: { builder: { id: 'urn:zimbo:release:unsigned' } },
    },
  });
}
