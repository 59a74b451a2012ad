import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Makes `dist` afresh, so that nothing of an earlier build is published, and brings the licence. */
const sdk = join(import.meta.dirname, '..');
const tsc = join(sdk, '..', 'node_modules', 'typescript', 'bin', 'tsc');
rmSync(join(sdk, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', sdk], { stdio: 'inherit' });
copyFileSync(join(sdk, '..', 'LICENSE'), join(sdk, 'LICENSE'));
