import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes `dist` afresh, so that nothing of an earlier build is published, and brings the licence. */
const sdk = join(import.meta.dirname, '..');
const tsc = join(sdk, '..', 'node_modules', 'typescript', 'bin', 'tsc');
rmSync(join(sdk, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', sdk], { stdio: 'inherit' });
// The compiler makes imports end in .js in the code, but leaves them in the types, where not every tool takes them.
for (const file of globSync('dist/**/*.d.ts', { cwd: sdk })) {
  const types = readFileSync(join(sdk, file), 'utf8');
  writeFileSync(join(sdk, file), types.replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"));
}
copyFileSync(join(sdk, '..', 'LICENSE'), join(sdk, 'LICENSE'));
