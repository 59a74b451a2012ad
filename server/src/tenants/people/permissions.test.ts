import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  can,
  grantable,
  holds,
  opensWhat,
  parseRole,
  permissions,
  type Role,
  roles,
  rolesWith,
} from './permissions.ts';

const page = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'console.md');

test('the page on the console shows who may do what', () => {
  const [, shown] = readFileSync(page, 'utf8').split(
    /<!-- (?:permissions: .*|end of permissions) -->\n/,
  );
  const titleOf = (role: Role) => role[0] + role.slice(1).toLowerCase();
  const rows = permissions.map((permission) => [
    opensWhat(permission),
    `\`${permission}\``,
    ...roles.map((role) => (can(role, permission) ? '✓' : '')),
  ]);
  const lines = [
    ['', 'Permission', ...roles.map(titleOf)],
    ['---', '---', ...roles.map(() => '---')],
    ...rows,
  ].map(
    (cells) => `|${cells.map((cell) => (cell.startsWith('-') ? cell : ` ${cell} `)).join('|')}|`,
  );
  assert.equal(shown, `\n${lines.join('\n')}\n\n`);
});

test('allows an owner everything, and only an owner to change members', () => {
  assert.deepEqual(
    permissions.filter((permission) => !can('OWNER', permission)),
    [],
  );
  for (const role of roles.filter((each) => each !== 'OWNER')) {
    assert.ok(!can(role, 'people.write'), role);
    assert.equal(can(role, 'payments.read'), role !== 'CASHIER', role);
  }
});

test('allows a viewer no changes and no full phones', () => {
  const granted = permissions.filter((permission) => can('VIEWER', permission));
  assert.deepEqual(granted, ['payments.read', 'money.read', 'disbursements.read', 'people.read']);
});

test('allows a cashier to charge, and nothing else', () => {
  const granted = permissions.filter((permission) => can('CASHIER', permission));
  assert.deepEqual(granted, ['payments.charge']);
});

test('gives members with a custom role its permissions alone', () => {
  const own = { role: 'CUSTOM', permissions: ['refunds.create'] } as const;
  assert.ok(holds(own, 'refunds.create'));
  assert.ok(!holds(own, 'payments.read'));
  assert.ok(!holds({ role: 'CUSTOM', permissions: null }, 'payments.read'));
  assert.ok(holds({ role: 'VIEWER' }, 'payments.read'));
});

test('lets owners grant everything but the management of people', () => {
  assert.deepEqual(
    permissions.filter((permission) => !grantable.some((each) => each === permission)),
    ['people.write'],
  );
});

test('finds the roles that hold any of some permissions', () => {
  assert.deepEqual(rolesWith(['people.write']), ['OWNER']);
  assert.deepEqual(rolesWith(['people.write', 'people.read']), rolesWith(['people.read']));
  assert.ok(rolesWith(['people.read']).includes('VIEWER'));
});

test('accepts a role in any case', () => {
  assert.equal(parseRole('finance'), 'FINANCE');
  assert.equal(parseRole('OWNER'), 'OWNER');
  assert.equal(parseRole('root'), undefined);
});
