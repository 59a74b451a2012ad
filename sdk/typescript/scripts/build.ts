import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Builds `dist` from scratch, so that no file of an earlier build is published: as ES modules, and in `dist/commonjs`
 * for `require`. Adds the licence and the changelog.
 */
const sdk = join(import.meta.dirname, '..');
const tsc = join(sdk, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');
const commonjs = join(sdk, 'dist', 'commonjs');
rmSync(join(sdk, 'dist'), { recursive: true, force: true });
const compile = (...options: string[]) =>
  execFileSync(process.execPath, [tsc, '-p', sdk, ...options], { stdio: 'inherit' });
compile();
const forRequire = ['--module', 'commonjs', '--moduleResolution', 'bundler'];
compile(...forRequire, '--verbatimModuleSyntax', 'false', '--outDir', commonjs);
writeFileSync(join(commonjs, 'package.json'), '{ "type": "commonjs" }\n');
// The compiler rewrites imports to .js in the code but not in the types, where some tools need
// that.
for (const file of globSync('dist/**/*.d.ts', { cwd: sdk })) {
  const types = readFileSync(join(sdk, file), 'utf8');
  writeFileSync(join(sdk, file), types.replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"));
}
copyFileSync(join(sdk, '..', '..', 'LICENSE'), join(sdk, 'LICENSE'));
copyFileSync(join(sdk, '..', 'CHANGELOG.md'), join(sdk, 'CHANGELOG.md'));
