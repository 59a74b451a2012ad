import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testInstallation } from '../../../test/support/cell-installation.ts';
import { runCommand } from '../../../test/support/command-line.ts';
import { testDataDir } from '../../../test/support/process.ts';
import { addPrivacyCommands } from '../privacy.ts';

const moveText = (state: string) => `
INSERT INTO public.cell_moves (merchant_id, move_id, from_cell, to_cell, state, began_at, changed_at)
VALUES (gen_random_uuid(), gen_random_uuid(), 'north', 'home', '${state}', now(), now())`;

test('nobody is erased while a merchant is between cells; one that has moved past it is told of', async (context) => {
  const { database, cells, environment } = await testInstallation(context);
  const folder = { DATA_DIR: await testDataDir(context) };
  const erase = () => {
    const args = ['privacy', 'erase', '--phone', '+2389912345'];
    return runCommand(addPrivacyCommands, args, { ...environment, ...folder });
  };
  await database.query({ text: moveText('HOLDING') });
  const refused = await erase();
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^A merchant is on its way to another cell, and could be missed\.$/m,
  );
  for (const cell of Object.values(cells))
    assert.deepEqual(await cell.query({ text: 'SELECT FROM erasures' }), []);

  await database.query({ text: `UPDATE cell_moves SET state = 'DONE'` });
  assert.deepEqual(await erase().then(({ code, stderr }) => ({ code, stderr })), {
    code: 0,
    stderr: '',
  });

  const arrive = `
CREATE FUNCTION north.arrive() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${moveText('DONE')}; RETURN NULL; END $$;
CREATE TRIGGER arrive AFTER INSERT ON north.erasures EXECUTE FUNCTION north.arrive()`;
  await database.query({ text: arrive });
  const missed = await erase();
  assert.equal(missed.code, 1);
  assert.match(missed.stderr, /^A merchant has moved to another cell meanwhile/m);
  assert.match(missed.stdout, /^south$/m, 'what was erased is told all the same');
});
