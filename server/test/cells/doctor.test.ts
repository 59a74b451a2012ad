import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminApi } from '../support/admin.ts';
import { testCells } from '../support/cells.ts';

interface Diagnosis {
  checks: { group: string; name: string; status: string; figure: string }[];
}

test('runs the doctor of a running gateway over all cells, in the home', async (context) => {
  const { url, databases } = await testCells(context, ['north', 'south']);
  const api = await adminApi({ database: databases.home!, url });
  await databases.south!.query({ text: 'DELETE FROM schema_migrations WHERE number = 44' });
  const together = async (headers?: Record<string, string>) => {
    const { status, body } = await api('GET', '/admin/v1/doctor', undefined, headers);
    assert.equal(status, 200);
    return (body as Diagnosis).checks
      .filter(({ group }) => group === 'Cells')
      .map(({ name, status: said, figure }) => [name, said, figure]);
  };
  const rest = '\nnot looked at: south';
  assert.deepEqual(await together(), [
    ['Gateways', 'warning', `what runs serves all of them${rest}`],
  ]);
  assert.deepEqual(await together({ 'zimbo-cell': 'north' }), []);
});
