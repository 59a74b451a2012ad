/** All packages have the version of the gateway; these files repeat it, after what the pattern's group holds. */
const files: Record<string, RegExp> = {
  'sdk/typescript/package.json': /("version": ")\d+\.\d+\.\d+/,
  'sdk/typescript/src/version.ts': /(version = ')\d+\.\d+\.\d+/,
  'sdk/typescript/README.md': /(zimbo-sdk-)\d+\.\d+\.\d+/g,
  'sdk/php/src/Zimbo.php': /(VERSION = ')\d+\.\d+\.\d+/,
  'sdk/php/README.md': /(zimbo-php-|zimbo\/zimbo:)\d+\.\d+\.\d+/g,
  'sdk/python/src/zimbo/_version.py': /(VERSION = ")\d+\.\d+\.\d+/,
  'sdk/python/README.md': /(zimbo-)\d+\.\d+\.\d+/g,
  'sdk/go/transport.go': /(Version = ")\d+\.\d+\.\d+/,
  'sdk/go/README.md': /(zimbo-go-|@v)\d+\.\d+\.\d+/g,
  'mcp/package.json': /("version": ")\d+\.\d+\.\d+/,
  'mcp/main.js': /(version: ')\d+\.\d+\.\d+/,
  'mcp/README.md': /(zimbo-mcp-)\d+\.\d+\.\d+/g,
};

/**
 * The files of all packages that name the version, by their paths in the repository.
 * @param read returns the text of a file of the repository
 * @throws Error if a file no longer names the version
 */
export function versionedFiles(read: (path: string) => string): Record<string, string> {
  const { version } = JSON.parse(read('server/package.json')) as { version: string };
  const texts = Object.entries(files).map(([path, pattern]) => {
    const text = read(path);
    if (text.search(pattern) < 0) throw new Error(`${path} does not match ${pattern}`);
    return [path, text.replace(pattern, `$1${version}`)];
  });
  return Object.fromEntries(texts);
}
