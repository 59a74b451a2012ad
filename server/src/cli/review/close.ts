import { withWorkspace } from '../workspace.ts';

/** Takes a contradiction or a clash off the list: the ledger stays as it is. */
export async function close(id: string, { reason }: { reason: string }): Promise<void> {
  const { closeReview } = await import('../../resolutions/close.ts');
  const name = await withWorkspace((workspace) => closeReview(workspace, id, reason));
  console.log(`${name} is closed. The ledger is unchanged.`);
}
