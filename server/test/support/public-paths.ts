import type { TestGateway } from './gateway.ts';

/** Prefixes of everything that the public may request. A new route must be public or not by decision. */
export const publicBeginnings = ['/console/', '/l/', '/operators/', '/pay/', '/receipt/', '/v1/'];

/** Public exactly, without subpaths. */
export const publicPath = '/console';

export const isPublic = (path: string) =>
  path === publicPath || publicBeginnings.some((beginning) => path.startsWith(beginning));

/** The path patterns of all routes, from the tree that Fastify prints. */
export async function routesOf({ gateway }: Pick<TestGateway, 'gateway'>): Promise<string[]> {
  const apps = [gateway.http, await gateway.console!.app()];
  return apps.flatMap((app) => pathsIn(app.printRoutes()));
}

function pathsIn(tree: string): string[] {
  const parents: string[] = [];
  const paths = new Set<string>();
  for (const line of tree.split('\n')) {
    const [, indent = '', part, methods] =
      /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (part === undefined) continue;
    const depth = indent.length / 4;
    parents.length = depth;
    parents[depth] = part;
    if (methods !== undefined) paths.add(parents.join(''));
  }
  return [...paths];
}
