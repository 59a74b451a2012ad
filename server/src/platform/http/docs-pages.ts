import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once, type Prepared, prepare } from './static-response.ts';

const shipped = join(import.meta.dirname, '..', '..', '..', '..', 'docs');
const markdown = 'text/markdown; charset=utf-8';

export interface DocsPages {
  /** The page at this path below `docs/`, such as `runbooks/review.md`; undefined if there is none. */
  page(path: string): Promise<Prepared | undefined>;
  /** The list of all pages, in the form of https://llmstxt.org; undefined if no pages are there. */
  list(): Promise<Prepared | undefined>;
}

/** The Markdown pages in a folder and the folders below it; each is read once, at its first request. */
export async function openPages(folder = shipped): Promise<DocsPages> {
  // Only what this list has can be asked for, whatever a path looks like.
  const paths = await pathsIn(folder).catch(() => []);
  const read = (path: string) => readFile(join(folder, path), 'utf8');
  const pages = new Map(
    paths.map((path) => [path, once(async () => prepare(markdown, await read(path)))]),
  );
  const list = once(async () =>
    prepare('text/plain; charset=utf-8', listOf(await read('README.md'), new Set(paths))),
  );
  return {
    page: async (path) => pages.get(path)?.(),
    list: async () => (pages.has('README.md') ? list() : undefined),
  };
}

/** Without following links, as a recursive readdir would. */
async function pathsIn(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const paths = entries.map(async (entry) => {
    const path = `${below}${entry.name}`;
    if (entry.isDirectory()) return pathsIn(folder, `${path}/`);
    return entry.isFile() && path.endsWith('.md') ? [path] : [];
  });
  return (await Promise.all(paths)).flat();
}

const introduction = `# Zimbo

> Zimbo is a payment gateway for mobile money in Cape Verde and Angola, with a REST API (JSON over HTTPS, OpenAPI 3.1), signed webhooks and a double-entry ledger. This gateway serves its own documentation.

Amounts are integers in centavos: 10000 is 100.00 CVE. Send an API key as \`Authorization: Bearer sk_test_…\`; test keys move no money. Send \`Idempotency-Key\` with each POST, so that repeating it is safe.

## API

- [OpenAPI document](openapi.json): all operations, with an example request, its answer, its errors, and code in five languages
- [OpenAPI document for staff](admin/openapi.json): the API of the company that runs the gateway`;

/** Language models may leave this part out: the form has this title for it. */
const optional = { title: 'For people who work on Zimbo', inList: 'Optional' };

/** The tables of the index, as lists. Addresses are relative, so that they hold behind a proxy that adds a path. */
function listOf(index: string, paths: ReadonlySet<string>): string {
  const sections = index
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return {
        title: title === optional.title ? optional.inList : title,
        links: linksIn(lines, paths),
      };
    });
  const lists = sections.map(({ title, links }) => `## ${title}\n\n${links.join('\n')}`);
  return `${[introduction, ...lists].join('\n\n')}\n`;
}

function linksIn(lines: readonly string[], paths: ReadonlySet<string>): string[] {
  return lines.flatMap((line) => {
    const [, name, path, answers] = /^\| \[(.+?)\]\((.+?)\)[^|]*\| (.+) \|$/.exec(line) ?? [];
    return path !== undefined && paths.has(path) ? [`- [${name}](docs/${path}): ${answers}`] : [];
  });
}
