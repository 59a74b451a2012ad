import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Commit, json, serialNumberOf } from './records.ts';

export interface PackageContent {
  /** In its registry, such as `@zimbo/sdk`. */
  name: string;
  /** Its registry in package URLs, such as `npm`. */
  registry: string;
  /** What it asks its registry for, by name: the versions that fit, such as `>=0.27,<1`. */
  dependencies: Record<string, string>;
  archives: readonly string[];
}

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

const urlOf = (registry: string, name: string, version?: string) =>
  `pkg:${registry}/${name.replace('@', '%40')}${version === undefined ? '' : `@${version}`}`;

/**
 * What a package consists of, as CycloneDX: itself with its archives, and what it depends on. Which version of a
 * dependency is installed, the reader's registry decides: that list is marked as incomplete.
 */
export function packageBill(
  { name, registry, dependencies, archives }: PackageContent,
  { version, commit, committedAtSeconds }: Commit,
): string {
  const own = urlOf(registry, name, registry === 'golang' ? `v${version}` : version);
  const components = Object.entries(dependencies).map(([dependency, versions]) => ({
    type: 'library',
    'bom-ref': urlOf(registry, dependency),
    name: dependency,
    purl: urlOf(registry, dependency),
    properties: [{ name: 'zimbo:versions', value: versions }],
  }));
  const references = components.map((component) => component['bom-ref']);
  return json({
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: serialNumberOf(`${own} ${commit}`),
    version: 1,
    metadata: {
      timestamp: new Date(committedAtSeconds * 1_000).toISOString(),
      component: {
        type: 'library',
        'bom-ref': own,
        name,
        version,
        purl: own,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        externalReferences: archives.map((path) => ({
          type: 'distribution',
          url: basename(path),
          hashes: [{ alg: 'SHA-256', content: sha256(path) }],
        })),
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: references }, ...references.map((ref) => ({ ref }))],
    compositions: [
      { aggregate: components.length === 0 ? 'complete' : 'incomplete', dependencies: [own] },
    ],
  });
}
