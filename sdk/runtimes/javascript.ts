/** The built TypeScript library on Node, Bun and Deno. */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, normalize, relative } from 'node:path';
import { installed, Missing, outputOf, type Runtime, root } from './runtime.ts';

/** Its folder in the repository, in which `src` becomes `dist` of the package. */
const library = 'sdk/typescript';
/** Tests of more than the package: they read the generators, or compare with the gateway's own code. */
const isOfRepository = (path: string, code: string) =>
  /\.long\.test|types\.test/.test(path) || /from '[^']*(server\/src|scripts)\//.test(code);

let prepared: Promise<string> | undefined;

/**
 * Lays the tests around the packed library as they stand around its source, in JavaScript. @returns the folder in which
 * to run them
 */
async function prepare(folder: string): Promise<string> {
  const copy = join(folder, 'library');
  mkdirSync(copy);
  const source = join(root, library);
  await outputOf('npm', ['pack', '--silent', '--pack-destination', copy], { cwd: source });
  await outputOf('tar', ['-xzf', globSync('*.tgz', { cwd: copy })[0]!], { cwd: copy });
  cpSync(join(copy, 'package', 'dist'), join(copy, library, 'src'), { recursive: true });
  cpSync(join(copy, 'package', 'package.json'), join(copy, library, 'package.json'));
  for (const read of ['sdk/vectors', 'docs/errors.md'])
    cpSync(join(root, read), join(copy, read), { recursive: true });
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }\n');
  const tests = globSync('{src,test}/**/*.test.ts', { cwd: source });
  for (const path of tests.map((test) => join(library, test)))
    if (!isOfRepository(path, readFileSync(join(root, path), 'utf8'))) translate(path, copy);
  return copy;
}

/** Translates a file of the repository, and those that it imports unless they are there. */
function translate(path: string, copy: string): void {
  const target = join(copy, path.replace(/\.ts$/, '.js'));
  if (existsSync(target)) return;
  const code = stripTypeScriptTypes(readFileSync(join(root, path), 'utf8'));
  const imports = /(from ')(\.[^']+)\.ts(')/g;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code.replaceAll(imports, '$1$2.js$3'));
  for (const [, , imported] of code.matchAll(imports))
    translate(relative(root, normalize(join(root, dirname(path), `${imported}.ts`))), copy);
}

function runtime(
  name: string,
  packageName: string,
  program: string,
  command: (tests: string[]) => string[],
): Runtime {
  return {
    name,
    test: async (folder) => {
      const modules = await installed(folder, packageName);
      prepared ??= prepare(folder);
      const cwd = await prepared;
      const tests = globSync(`${library}/**/*.test.js`, { cwd }).map((each) => `./${each}`);
      const binary = join(modules, program);
      if (!existsSync(binary)) throw new Missing(`${packageName} has no ${program}`);
      const version = (await outputOf(binary, ['--version'])).split('\n')[0]!;
      const output = await outputOf(binary, command(tests), { cwd });
      const passed = /(?:# pass|ℹ pass|ok \|) (\d+)|(\d+) pass\b/.exec(output);
      if (passed === null) throw new Error(output);
      return `${version}: ${passed[1] ?? passed[2]} tests passed`;
    },
  };
}

const { platform, arch } = process;
const nodeName = `node-${platform === 'darwin' && arch === 'arm64' ? 'bin-' : ''}${platform}-${arch}`;

export const javascript: Runtime[] = [
  ...[20, 22, 24, 26].map((major) =>
    runtime(`Node ${major}`, `${nodeName}@${major}`, `${nodeName}/bin/node`, (tests) => [
      '--test',
      '--test-reporter=spec',
      ...tests,
    ]),
  ),
  runtime('Bun', 'bun', '.bin/bun', (tests) => ['test', ...tests]),
  runtime('Deno', 'deno', '.bin/deno', (tests) => ['test', '--allow-all', '--no-check', ...tests]),
];
