import { atGateway } from '../admin/connection.ts';

/** Takes a contradiction or a clash off the list: the ledger stays as it is. */
export async function close(id: string, { reason }: { reason: string }): Promise<void> {
  const closed = await atGateway<{ id: string }>(({ send }) =>
    send('closeReview', { path: { id }, body: { reason } }),
  );
  console.log(`${closed.id} is closed. The ledger is unchanged.`);
}
