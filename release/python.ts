import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, writeTarball, writeZip } from './archive.ts';

type Table = Record<string, string | string[] | undefined>;

/** The keys of a table of pyproject.toml whose values are texts or lists of texts, each on one line. */
function tableOf(toml: string, name: string): Table {
  const [, body = ''] = toml.split(`[${name}]\n`);
  const lines = body.split(/^\[/m)[0]!.matchAll(/^([\w-]+) = (["[].*)$/gm);
  return Object.fromEntries([...lines].map(([, key, value]) => [key!, JSON.parse(value!)]));
}

/** What the library needs from its registry, such as `httpx>=0.27,<1`. */
export const requirementsOf = (folder: string): string[] =>
  tableOf(readFileSync(join(folder, 'pyproject.toml'), 'utf8'), 'project').dependencies as string[];

/** The core metadata (version 2.4) that pyproject.toml and the README describe. */
function metadataOf(folder: string, version: string): string {
  const toml = readFileSync(join(folder, 'pyproject.toml'), 'utf8');
  const project = tableOf(toml, 'project');
  const urls = Object.entries(tableOf(toml, 'project.urls'));
  const fields: [string, string | string[] | undefined][] = [
    ['Metadata-Version', '2.4'],
    ['Name', project.name],
    ['Version', version],
    ['Summary', project.description],
    ...urls.map(([name, url]): [string, string] => ['Project-URL', `${name}, ${String(url)}`]),
    ['License-Expression', project.license],
    ['License-File', 'LICENSE'],
    ['Keywords', (project.keywords as string[]).join(',')],
    ['Requires-Python', project['requires-python']],
    ['Requires-Dist', project.dependencies],
    ['Description-Content-Type', 'text/markdown'],
  ];
  const lines = fields.flatMap(([name, value]) => {
    if (value === undefined) throw new Error(`pyproject.toml says nothing for ${name}`);
    return [value].flat().map((each) => `${name}: ${each}\n`);
  });
  return `${lines.join('')}\n${readFileSync(join(folder, 'README.md'), 'utf8')}`;
}

const wheel =
  'Wheel-Version: 1.0\nGenerator: zimbo-release\nRoot-Is-Purelib: true\nTag: py3-none-any\n';

/** A line of RECORD: a file of the wheel, its SHA-256 and its size. */
function recordOf([path, bytes]: [string, Uint8Array]): string {
  const sha256 = createHash('sha256').update(bytes).digest('base64url');
  return `${path},sha256=${sha256},${bytes.length}\n`;
}

/** Writes the wheel of the library in a folder, without Python: a wheel is a ZIP file of a fixed layout. */
export async function writeWheel(folder: string, version: string, path: string): Promise<void> {
  const information = `zimbo-${version}.dist-info`;
  const files: Record<string, Uint8Array> = {
    ...filesOf(join(folder, 'src', 'zimbo'), 'zimbo/'),
    [`${information}/METADATA`]: Buffer.from(metadataOf(folder, version)),
    [`${information}/WHEEL`]: Buffer.from(wheel),
    [`${information}/licenses/LICENSE`]: readFileSync(join(folder, 'LICENSE')),
    [`${information}/CHANGELOG.md`]: readFileSync(join(folder, 'CHANGELOG.md')),
  };
  const lines = Object.entries(files).map(recordOf);
  files[`${information}/RECORD`] = Buffer.from(`${lines.join('')}${information}/RECORD,,\n`);
  await writeZip(path, files);
}

/** Writes the source archive, from which pip builds a wheel by the backend that pyproject.toml names. */
export function writeSourceArchive(
  folder: string,
  version: string,
  path: string,
  modifiedAtSeconds: number,
): void {
  const name = `zimbo-${version}`;
  const copy = join(folder, '..', name);
  for (const part of ['src', 'pyproject.toml', 'README.md', 'LICENSE', 'CHANGELOG.md']) {
    cpSync(join(folder, part), join(copy, part), { recursive: true });
  }
  writeFileSync(join(copy, 'PKG-INFO'), metadataOf(folder, version));
  writeTarball(join(folder, '..'), name, path, modifiedAtSeconds);
}
