import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownNames } from './unknown-settings.ts';
import { variables } from './variables.ts';

/** Other programs use similar names, and a typo in these switches no control off. */
const common =
  /^(PORT|HOST|PUBLIC_URL|CONSOLE_URL|LOG_LEVEL|DATA_DIR|DATABASE_URL|BACKUP_TO|MAIL_FROM)$|^(OTEL|SMTP|COMPANY|SIMULATOR)_/;

test('reports a misspelt setting, so that no typo silently switches a control off', () => {
  const names = Object.keys(variables).filter((name) => !name.endsWith('_FILE'));
  const misspelt = names.filter((name) => !common.test(name)).map((name) => name.slice(0, -1));
  const silent = misspelt.filter((name) => unknownNames({ [name]: 'x' }).length === 0);
  assert.deepEqual(silent, []);
  const [line] = unknownNames({ DISBURSEMENTS_APPROVAL_ABOVE: 'CVE=1' });
  assert.match(line!, /DISBURSEMENTS_APPROVAL_ABOVE is not a setting.*DISBURSEMENT_APPROVAL_ABOVE/);
});
