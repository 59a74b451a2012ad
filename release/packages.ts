import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, posix } from 'node:path';
import { versionedFiles } from '../sdk/scripts/versions.ts';
import { filesOf, writeZip } from './archive.ts';
import { type PackageContent, packageBill } from './package-bill.ts';
import { requirementsOf, writeSourceArchive, writeWheel } from './python.ts';
import { type Commit, json } from './records.ts';
import { run } from './run.ts';

export interface PackagesPlace {
  root: string;
  /** For the source and what is built from it. */
  scratch: string;
  out: string;
  release: Commit;
}

/** A package's folder in the source, its folder among the results, and how it is built there. */
interface Recipe {
  folder: string;
  result: string;
  build: (source: string, to: string, release: Commit) => Promise<PackageContent>;
}

const recipes: Recipe[] = [
  { folder: 'sdk/typescript', result: 'typescript', build: packForNpm },
  { folder: 'mcp', result: 'mcp', build: packForNpm },
  { folder: 'sdk/php', result: 'php', build: packForComposer },
  { folder: 'sdk/python', result: 'python', build: packForPip },
  { folder: 'sdk/go', result: 'go', build: packForGo },
];

/**
 * Builds the packages of the last commit that a person publishes, each into a folder of its own with its bill of
 * materials. No language but Node must be there. Returns the paths of the files.
 */
export async function releasePackages(place: PackagesPlace): Promise<string[]> {
  const { out, release } = place;
  const source = stagePackages(place);
  const files: string[] = [];
  for (const { folder, result, build } of recipes) {
    const to = join(out, result);
    mkdirSync(to, { recursive: true });
    const content = await build(join(source, folder), to, release);
    const bill = join(to, `zimbo-${result}-${release.version}.cdx.json`);
    writeFileSync(bill, packageBill(content, release));
    files.push(...content.archives, bill);
  }
  return files;
}

/** The source of the last commit, with the files that a package has from elsewhere. */
function stagePackages({ root, scratch, release }: PackagesPlace): string {
  const source = join(scratch, 'packages');
  mkdirSync(source, { recursive: true });
  const parts = [
    'sdk',
    'mcp',
    'LICENSE',
    'tsconfig.json',
    'docs/openapi.json',
    'server/package.json',
  ];
  const archive = join(source, 'source.tar');
  run('git', ['archive', `--output=${archive}`, 'HEAD', '--', ...parts], root);
  run('tar', ['--extract', `--file=${archive}`], source);
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  const read = (path: string) => readFileSync(join(source, path), 'utf8');
  for (const [path, text] of Object.entries(versionedFiles(read))) {
    if (read(path) !== text) throw new Error(`${path} has another version: run "npm run docs"`);
  }
  for (const { folder } of recipes) {
    cpSync(join(source, 'LICENSE'), join(source, folder, 'LICENSE'));
    const changelog = join(source, folder, 'CHANGELOG.md');
    if (!existsSync(changelog)) cpSync(join(source, 'sdk', 'CHANGELOG.md'), changelog);
    // A Go module must be what its tag holds; pkg.go.dev follows its links.
    if (folder === 'sdk/go') continue;
    const page = join(folder, 'README.md');
    writeFileSync(join(source, page), withWholeLinks(read(page), folder, release.version));
  }
  return source;
}

/** The page with links to the repository at its tag, because the pages around it stay there. */
const withWholeLinks = (page: string, folder: string, version: string): string =>
  page.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_link, target: string) => {
    const path = posix.join(folder, target);
    return `](https://github.com/zimbo-gateway/zimbo/blob/v${version}/${path})`;
  });

const manifestOf = (source: string, name: string) =>
  JSON.parse(readFileSync(join(source, name), 'utf8')) as {
    name: string;
    dependencies?: Record<string, string>;
    require?: Record<string, string>;
  };

/** `npm pack` gives each file one time, and sorts them. */
async function packForNpm(source: string, to: string): Promise<PackageContent> {
  // Scripts of the package run on the Node of the project.
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const pack = ['pack', '--silent', '--pack-destination', to];
  const archive = run('npm', pack, source, { PATH: path }).trim();
  const { name, dependencies = {} } = manifestOf(source, 'package.json');
  return { name, registry: 'npm', dependencies, archives: [join(to, archive)] };
}

/** Composer takes archives from a folder if composer.json, at their root, names the version. */
async function packForComposer(
  source: string,
  to: string,
  { version }: Commit,
): Promise<PackageContent> {
  const archive = join(to, `zimbo-php-${version}.zip`);
  const manifest = manifestOf(source, 'composer.json');
  const files: Record<string, Uint8Array> = {
    ...filesOf(join(source, 'src'), 'src/'),
    'composer.json': Buffer.from(json({ ...manifest, version })),
  };
  for (const name of texts) files[name] = readFileSync(join(source, name));
  await writeZip(archive, files);
  const packages = Object.entries(manifest.require!).filter(([name]) => name.includes('/'));
  const dependencies = Object.fromEntries(packages);
  return { name: manifest.name, registry: 'composer', dependencies, archives: [archive] };
}

const texts = ['LICENSE', 'README.md', 'CHANGELOG.md'];

async function packForPip(
  source: string,
  to: string,
  { version, committedAtSeconds }: Commit,
): Promise<PackageContent> {
  const wheel = join(to, `zimbo-${version}-py3-none-any.whl`);
  await writeWheel(source, version, wheel);
  const archive = join(to, `zimbo-${version}.tar.gz`);
  writeSourceArchive(source, version, archive, committedAtSeconds);
  const requirements = requirementsOf(source).map((each) => /^([\w.-]+)(.*)$/.exec(each)!);
  const dependencies = Object.fromEntries(requirements.map(([, name, rest]) => [name!, rest!]));
  return { name: 'zimbo', registry: 'pypi', dependencies, archives: [wheel, archive] };
}

/** The archive that Go makes of the tag `sdk/go/vVERSION`, byte for byte within: go.sum has the same checksums. */
async function packForGo(source: string, to: string, { version }: Commit): Promise<PackageContent> {
  const module = readFileSync(join(source, 'go.mod'), 'utf8');
  if (module.includes('require')) throw new Error('The bill of the Go module lacks what it needs');
  const [, name] = /^module (\S+)$/m.exec(module)!;
  const archive = join(to, `zimbo-go-${version}.zip`);
  await writeZip(archive, filesOf(source, `${name}@v${version}/`));
  return { name: name!, registry: 'golang', dependencies: {}, archives: [archive] };
}
