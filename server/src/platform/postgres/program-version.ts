/** Versions as https://semver.org orders them. */
interface Version {
  core: number[];
  /** The identifiers of a pre-release, which comes before the release; empty for a release. */
  preRelease: string[];
}

const shape = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;

/** @returns whether the program has that version or a later one; false if either is malformed */
export function isAtLeast(program: string, oldest: string): boolean {
  const [left, right] = [parse(program), parse(oldest)];
  return left !== undefined && right !== undefined && compare(left, right) >= 0;
}

function parse(text: string): Version | undefined {
  const found = shape.exec(text);
  if (!found) return undefined;
  return { core: found.slice(1, 4).map(Number), preRelease: found[4]?.split('.') ?? [] };
}

function compare(left: Version, right: Version): number {
  for (const [index, part] of left.core.entries()) {
    const difference = part - right.core[index]!;
    if (difference !== 0) return difference;
  }
  return comparePreReleases(left.preRelease, right.preRelease);
}

function comparePreReleases(left: string[], right: string[]): number {
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (const [index, identifier] of left.entries()) {
    const other = right[index];
    const difference = other === undefined ? 1 : compareIdentifiers(identifier, other);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Numbers come before words. */
function compareIdentifiers(left: string, right: string): number {
  const [leftNumber, rightNumber] = [left, right].map((text) => /^\d+$/.test(text));
  if (leftNumber && rightNumber) return Number(left) - Number(right);
  if (leftNumber !== rightNumber) return leftNumber ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
