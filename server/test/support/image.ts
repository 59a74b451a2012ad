/**
 * Builds a container image without a registry for its base: Debian by debootstrap, Node from its
 * npm package.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lacks, root } from './pages.ts';

const nodePackage = join(root, 'node_modules', `node-linux-${process.arch}`);
const mostBytes = 16 * 2 ** 20;

/** Why an image cannot be built here; false if it can. */
export function cannotBuild(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs root, on Linux';
  return lacks('buildah', 'debootstrap', 'npm') || (mirror() === undefined && 'no Debian in apt');
}

export function output(program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    maxBuffer: mostBytes,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The mirror that apt of this machine uses. */
function mirror(): { codename: string; url: string } | undefined {
  try {
    const format = '$(ORIGIN) $(CODENAME) $(REPO_URI)';
    const lines = output('apt-get', 'indextargets', '--format', format, 'Created-By: Packages');
    const [, codename, url] = /^Debian ([a-z]+) (\S+)$/m.exec(lines) ?? [];
    return codename && url ? { codename, url } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps everything that buildah stores in this folder. */
export function buildahIn(folder: string) {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
  const place = ['--storage-driver', 'vfs', ...storage];
  return {
    place,
    run: (command: string, ...args: string[]) => output('buildah', ...place, command, ...args),
  };
}

export type Buildah = ReturnType<typeof buildahIn>;

/** The parts of the Node image that ours uses: Debian, node, npm, and the user `node`. */
export function makeBase(buildah: Buildah): string {
  const { codename, url } = mirror()!;
  const container = buildah.run('from', 'scratch').trim();
  const debian = buildah.run('mount', container).trim();
  // Node needs libatomic.
  output('debootstrap', '--variant=minbase', '--include=libatomic1', codename, debian, url);
  const local = join(debian, 'usr', 'local');
  cpSync(join(nodePackage, 'bin', 'node'), join(local, 'bin', 'node'));
  const npm = dirname(dirname(realpathSync(output('sh', '-c', 'command -v npm').trim())));
  mkdirSync(join(local, 'lib', 'node_modules'), { recursive: true });
  cpSync(npm, join(local, 'lib', 'node_modules', 'npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'));
  output('useradd', '--root', debian, '--uid', '1000', '--create-home', 'node');
  buildah.run('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
  const name = 'localhost/node:test';
  buildah.run('commit', '--quiet', '--rm', container, name);
  return name;
}

/** Gives npm in the build this machine's access to the registry; nothing of it stays in the image. */
export function npmMounts(folder: string): string[] {
  const setting = (name: string) => output('npm', 'config', 'get', name).trim();
  const cafile = setting('cafile');
  const hasAuthority = cafile !== '' && cafile !== 'null';
  const file = join(folder, 'npmrc');
  const lines = [`registry=${setting('registry')}`, ...(hasAuthority ? [`cafile=${cafile}`] : [])];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const mounted = [`${file}:/usr/local/etc/npmrc:ro`];
  if (hasAuthority) mounted.push(`${cafile}:${cafile}:ro`);
  return mounted.flatMap((each) => ['--volume', each]);
}
