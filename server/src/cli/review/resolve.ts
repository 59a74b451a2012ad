import { withWorkspace } from '../workspace.ts';
import { findingOf, type ResolveOptions } from './finding.ts';

/** Records what the operator told a person; what follows from it follows. */
export async function resolve(id: string, options: ResolveOptions): Promise<void> {
  const { resolveReview } = await import('../../resolutions/resolve.ts');
  const words = await withWorkspace((workspace) =>
    resolveReview(workspace, id, (subject) => findingOf(options, subject)),
  );
  console.log(words);
}
