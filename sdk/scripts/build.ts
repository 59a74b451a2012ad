import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Builds `dist` from scratch, so that no file of an earlier build is published, and adds the licence. */
const sdk = join(import.meta.dirname, '..');
const tsc = join(sdk, '..', 'node_modules', 'typescript', 'bin', 'tsc');
rmSync(join(sdk, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', sdk], { stdio: 'inherit' });
// The compiler rewrites imports to .js in the code but not in the types, where some tools need
// that.
for (const file of globSync('dist/**/*.d.ts', { cwd: sdk })) {
  const types = readFileSync(join(sdk, file), 'utf8');
  writeFileSync(join(sdk, file), types.replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"));
}
copyFileSync(join(sdk, '..', 'LICENSE'), join(sdk, 'LICENSE'));
