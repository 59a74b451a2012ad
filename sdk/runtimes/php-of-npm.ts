/** The PHP library on versions of PHP that npm has as WebAssembly. These cannot connect, so only the vectors run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, outputOf, type Runtime, sdk } from './runtime.ts';

const program = (packageName: string) => `
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getPHPLoaderModule } from '${packageName}';
import { loadPHPRuntime, PHP } from '@php-wasm/universal';

const sdk = process.argv[2];
const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()));
for (const file of globSync('{php/{src,tests}/**/*.php,vectors/*.json,runtimes/*.php}', { cwd: sdk })) {
  php.mkdir(dirname(join('/sdk', file)));
  php.writeFile(join('/sdk', file), readFileSync(join(sdk, file)));
}
console.log((await php.run({ scriptPath: '/sdk/runtimes/vectors.php' })).text);
process.exit();
`;

export const phpOfNpm: Runtime[] = ['8.1', '8.2', '8.3', '8.4', '8.5'].map((version) => ({
  name: `PHP ${version} from npm`,
  test: async (folder) => {
    const packageName = `@php-wasm/node-${version.replace('.', '-')}`;
    const modules = await installed(folder, packageName);
    const path = join(modules, '..', 'vectors.js');
    writeFileSync(path, program(packageName));
    return (await outputOf(process.execPath, [path, sdk])).trim();
  },
}));
