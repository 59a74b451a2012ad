import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allows,
  isAllowed,
  requireTransition,
  statusesBefore,
  type Transitions,
} from './transitions.ts';

type Status = 'DRAFT' | 'OPEN' | 'PAID' | 'VOID';

const transitions: Transitions<Status> = {
  DRAFT: ['OPEN', 'VOID'],
  OPEN: ['PAID', 'VOID'],
  PAID: [],
  VOID: [],
};

test('an object takes the transitions of its table and no others', () => {
  assert.equal(allows(transitions, 'DRAFT', 'OPEN'), true);
  assert.equal(allows(transitions, 'OPEN', 'DRAFT'), false);
  assert.equal(allows(transitions, 'PAID', 'VOID'), false);
  assert.doesNotThrow(() => requireTransition(transitions, 'OPEN', 'PAID'));
  assert.throws(() => requireTransition(transitions, 'PAID', 'OPEN'), {
    message: 'no transition from PAID to OPEN',
  });
});

test('SQL names the statuses from which an object may take all the given statuses', () => {
  assert.equal(statusesBefore(transitions, 'PAID'), "('OPEN')");
  assert.equal(statusesBefore(transitions, 'VOID'), "('DRAFT', 'OPEN')");
  assert.equal(statusesBefore(transitions, 'PAID', 'VOID'), "('OPEN')");
});

test('a condition in SQL lists every pair of the table', () => {
  assert.equal(
    isAllowed(transitions, 'status', '$2'),
    "(status, $2) IN (('DRAFT', 'OPEN'), ('DRAFT', 'VOID'), ('OPEN', 'PAID'), ('OPEN', 'VOID'))",
  );
});
