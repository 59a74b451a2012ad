/**
 * Run as a program, prints every named statement of the code. It loads each module and records the
 * statements that the module creates, so new statements need no list.
 */
import { globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface Collected {
  /** Statement texts by name. */
  statements: Record<string, string>;
  /** Where to find statements that no module creates while loading. */
  notMade: string[];
}

const source = join(import.meta.dirname, '..', '..', 'src');
/** The name stands next to the text. */
const named = /name: ('[^']+'|`[^`]+`|statement\.name),(\s+)text(: |,| \})/g;

/** The console's scripts have names and texts, too. */
const isSql = (text: string) => !/\bdocument\./.test(text);

const statements: Record<string, string> = {};
const sites = new Set<string>();
const made = new Set<string>();

Object.assign(globalThis, {
  statementsAt: (site: string) =>
    new Proxy(statements, {
      set(all, name: string, text: unknown) {
        made.add(site);
        // Comes from `prepare`, which receives a function here and builds the text itself.
        if (typeof text === 'string' && isSql(text)) all[name] = text;
        return true;
      },
    }),
});

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.startsWith(pathToFileURL(source).href) || !loaded.source) return loaded;
    const path = relative(source, fileURLToPath(url));
    const { source: code } = loaded;
    const written = typeof code === 'string' ? code : Buffer.from(code as Uint8Array).toString();
    const text = written.replace(named, (_all, name: string, space: string, end) => {
      const site = `${path} ${name.replaceAll(/['`$]/g, '')}`;
      sites.add(site);
      const assigned = `text: statementsAt(${JSON.stringify(site)})[${name}] = `;
      return `name: ${name},${space}${assigned}${end === ': ' ? '' : `text${end}`}`;
    });
    return { ...loaded, source: text };
  },
});

const files = globSync('**/*.ts', { cwd: source }).filter(
  (file) => !/test|main|zimbo\.ts/.test(file),
);
for (const file of files.sort()) await import(join(source, file));
const notMade = [...sites].filter((site) => !made.has(site));
const collected = JSON.stringify({ statements, notMade } satisfies Collected);
process.stdout.write(collected, () => process.exit(0));
