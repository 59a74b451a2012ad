import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditActions } from '../../../platform/audit/record.ts';
import { auditActionText } from './audit-actions.ts';
import { languages } from './common.ts';

test('every action of the audit log has words of its own in each language', () => {
  for (const language of languages) {
    const texts = auditActions.map((action) => auditActionText(language, action));
    assert.deepEqual(
      auditActions.filter((action, index) => texts[index] === action || texts[index] === ''),
      [],
    );
    assert.equal(new Set(texts).size, texts.length, language);
  }
  assert.equal(auditActionText('en', 'tills.counted'), 'tills.counted');
  assert.equal(auditActionText('en', 'toString'), 'toString');
});
