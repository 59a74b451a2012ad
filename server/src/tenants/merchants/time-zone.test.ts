import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wallClock } from '../../platform/values/local-day.ts';
import { always, changeTimeZone, dayStartIn, timeZoneAt, timeZonesOf } from './time-zone.ts';

const [praia, luanda] = ['Atlantic/Cape_Verde', 'Africa/Luanda'];
const at = (text: string) => Date.parse(text);
const mid = at('2026-11-15T12:00:00Z');

test('follows the history, otherwise the first currency, otherwise the installation', () => {
  const stored = { timeZoneHistory: null, defaultCurrency: null };
  const zoneOf = (firstCurrency: 'CVE' | 'AOA' | null) =>
    timeZoneAt(timeZonesOf({ ...stored, firstCurrency }, 'Europe/Lisbon'), mid);
  assert.equal(zoneOf('AOA'), luanda);
  assert.equal(zoneOf('CVE'), praia);
  assert.equal(zoneOf(null), 'Europe/Lisbon');
  const timeZoneHistory = JSON.stringify(always(luanda!));
  const own = timeZonesOf({ ...stored, timeZoneHistory, firstCurrency: 'CVE' }, praia!);
  assert.equal(timeZoneAt(own, mid), luanda);
});

for (const [from, to] of [
  [praia!, luanda!],
  [luanda!, praia!],
]) {
  test(`a change from ${from} to ${to} moves no payment across the end of a month`, () => {
    const zones = changeTimeZone(always(from!), to!, mid);
    const start = dayStartIn(zones, '2026-12-01');
    for (let hour = -6; hour <= 6; hour += 1) {
      const instant = at('2026-12-01T00:30:00Z') + hour * 3_600_000;
      const shown = wallClock(instant, timeZoneAt(zones, instant));
      const old = wallClock(instant, from!);
      assert.equal(shown.slice(0, 7), old.slice(0, 7), `${shown} was ${old}`);
      assert.equal(instant >= start, shown >= '2026-12', `${shown} and the day's start`);
    }
    assert.equal(timeZoneAt(zones, at('2026-11-30T12:00:00Z')), from);
    assert.equal(timeZoneAt(zones, at('2026-12-01T12:00:00Z')), to);
    assert.equal(dayStartIn(zones, '2026-11-01'), dayStartIn(always(from!), '2026-11-01'));
    assert.equal(dayStartIn(zones, '2026-12-02'), dayStartIn(always(to!), '2026-12-02'));
  });
}

test('a later wish replaces a change that does not hold yet, and the present zone undoes it', () => {
  const changed = changeTimeZone(always(praia!), luanda!, mid);
  assert.deepEqual(changeTimeZone(changed, praia!, mid + 1_000), always(praia!));
  assert.deepEqual(changeTimeZone(changed, luanda!, mid + 1_000), changed);
  const later = changeTimeZone(changed, praia!, at('2027-02-10T00:00:00Z'));
  assert.deepEqual(
    later.map(({ timeZone }) => timeZone),
    [praia, luanda, praia],
  );
});
