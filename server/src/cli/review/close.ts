import { atGateway } from '../admin/connection.ts';

/** Takes a contradiction or a clash off the list: the ledger stays as it is. */
export async function close(id: string, { reason }: { reason: string }): Promise<void> {
  const name = await atGateway(
    async (admin) => {
      const path = `/reviews/${encodeURIComponent(id)}/close`;
      return (await admin.call<{ id: string }>('POST', path, { reason })).id;
    },
    async (workspace) => {
      const { closeReview } = await import('../../backoffice/resolutions/close.ts');
      return closeReview(workspace, id, reason);
    },
  );
  console.log(`${name} is closed. The ledger is unchanged.`);
}
