import type { Story } from './story.ts';
import { key, make, phone, reach, type Shop, unknownId } from './story-parts.ts';

const row = (externalId: string, amount: number) => ({
  amount,
  operator: 'MOCK',
  operatorPhone: phone,
  externalId,
});

/** Pays salaries in batches; the balance does not cover the last row of the first. */
export async function disburseMany(story: Story, shop: Shop): Promise<void> {
  const items = [row('salary-11-001', 2_000), row('salary-11-002', 1_500)];
  const body = { items: [...items, row('bonus-11', 90_000_000)], externalId: 'salaries-11' };
  const headers = key('salaries-2026-11');
  const { id } = await story.call('createDisbursementBatch', { body, headers });
  await story.refuse('createDisbursementBatch', { body: { ...body, items }, headers });
  const large = { body, headers: key('salaries-2026-12') };
  await story.refuse('createDisbursementBatch', large, { key: shop.smallKey });
  const lost = { body: { ...body, retryOf: unknownId(id) }, headers: key('salaries-2026-12') };
  await story.refuse('createDisbursementBatch', lost);
  await reach(story, 'getDisbursementBatch', id, 'COMPLETED');
  const path = { id };
  await story.call('getDisbursementBatch', { path });
  const query = { external_id: 'salaries-11', limit: '10' };
  await story.call('listDisbursementBatches', { query });
  await story.call('listDisbursementsOfBatch', { path, query: { limit: '10' } });
  const again = { path, headers: key('salaries-2026-11-again') };
  await story.call('retryDisbursementBatch', again);
  await story.refuse('retryDisbursementBatch', { path, headers });
  await story.refuse('retryDisbursementBatch', { path, headers: key('salaries-2026-11-third') });
  const dear = { body: { items: [row('bonus-12', 90_000_000)] }, headers: key('bonus-12') };
  const failed = await make(story, 'createDisbursementBatch', dear);
  await reach(story, 'getDisbursementBatch', failed.id, 'COMPLETED');
  const small = { path: { id: failed.id }, headers: key('bonus-12-again') };
  await story.refuse('retryDisbursementBatch', small, { key: shop.smallKey });
  const batchOf = async (name: string) => {
    const made = await make(story, 'createDisbursementBatch', {
      body: { items: [row(name, 100)] },
      headers: key(name),
    });
    await reach(story, 'getDisbursementBatch', made.id, 'COMPLETED');
    return { id: made.id };
  };
  const [one, other] = [await batchOf('one'), await batchOf('other')];
  await shop.holdDisbursements();
  await story.call('cancelDisbursementBatch', { path: one });
  await story.refuse('cancelDisbursementBatch', { path: one });
  await make(story, 'cancelDisbursementBatch', { path: other, headers: key('act-1') });
  await story.refuse('cancelDisbursementBatch', { path: one, headers: key('act-1') });
}
