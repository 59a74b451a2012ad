import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citusSchemaOf, withCitus, withDefaults, withOption, withSchema } from './url-options.ts';

test('appends an option, and keeps the rest of the URL', () => {
  assert.equal(
    withSchema('postgres://a:p%2Bq@h1:5432,h2/zimbo', 'north'),
    'postgres://a:p%2Bq@h1:5432,h2/zimbo?options=-c%20search_path%3Dnorth',
  );
  const url = withOption(
    'postgres://h/zimbo?sslmode=verify-full&options=-c%20jit=off',
    '-c work_mem=1MB',
  );
  const { searchParams } = new URL(url);
  assert.equal(searchParams.get('sslmode'), 'verify-full');
  assert.equal(searchParams.get('options'), '-c jit=off -c work_mem=1MB');
});

test('lets the URL override a default', () => {
  const url = withCitus(withSchema('postgres://h/zimbo', 'north'));
  const { searchParams } = new URL(
    withDefaults(url, '-c jit=off -c plan_cache_mode=force_generic_plan'),
  );
  const settings = searchParams
    .get('options')!
    .split('-c ')
    .slice(1)
    .map((each) => each.trim().split('='));
  assert.equal(Object.fromEntries(settings).plan_cache_mode, 'auto');
  assert.equal(Object.fromEntries(settings).jit, 'off');
});

test('reads the schema of a cell on Citus from its URL, and from no other URL', () => {
  const url = withSchema('postgres://h/zimbo', 'north');
  assert.equal(citusSchemaOf(withCitus(url)), 'north');
  assert.equal(
    citusSchemaOf(withCitus(withSchema(url, 'south'))),
    'south',
    'with a home on Citus, too',
  );
  assert.equal(citusSchemaOf(url), undefined);
  assert.equal(citusSchemaOf('postgres://h1,h2/zimbo'), undefined);
});
