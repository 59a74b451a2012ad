import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import {
  merchantWithEverything,
  moveOptions,
  twoCells,
} from '../../../../test/support/two-cells.ts';
import { findRun } from './home.ts';
import { moveMerchant } from './index.ts';
import { beginMark, findMark } from './marks.ts';

test('no cell takes a mark of a merchant that is where it should not be', async (context) => {
  const cells = await twoCells(context);
  const { home, north } = cells;
  const owner = await merchantWithEverything(home.database);
  await moveMerchant(cells, owner.merchantId, 'north', moveOptions());
  const run = { merchantId: owner.merchantId, moveId: randomUUID() };
  const way = { from: 'home', to: 'north' };
  const confirm = async () => {};
  assert.equal(await beginMark(home.database, run, way, { state: 'COPYING', confirm }), false);
  assert.equal(await beginMark(north.database, run, way, { state: 'ARRIVING', confirm }), false);
});

test('no cell takes a mark of a run that the home does not know', async (context) => {
  const { home } = await twoCells(context);
  const owner = await merchantWithEverything(home.database);
  const run = { merchantId: owner.merchantId, moveId: randomUUID() };
  const confirm = () => findRun(home.database, run);
  const way = { from: 'home', to: 'north' };
  await assert.rejects(beginMark(home.database, run, way, { state: 'COPYING', confirm }));
  assert.equal(await findMark(home.database, owner.merchantId), undefined);
});
