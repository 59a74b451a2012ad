import assert from 'node:assert/strict';
import { test } from 'node:test';
import { behaviourOf } from '../../../integrations/operators/simulator/behaviour.ts';
import { currencies } from '../../../platform/values/money.ts';
import { currencyOfPhone, normalizePhone } from '../../../platform/values/phone.ts';
import { internationalPhone } from '../../../storefront/checkout/page/phone.ts';
import { testPhones } from './test-phones.ts';

for (const currency of currencies) {
  test(`the numbers that the till offers in ${currency} do what stands beside them`, () => {
    const buttons = testPhones({ language: 'en' }, currency).text.matchAll(
      /data-phone="([^"]*)" data-country="(\d+)" disabled><b>([^<]*)<\/b> ([^<]*)</g,
    );
    const offered = [...buttons].map(([, number, country, shown, said]) => {
      assert.equal(shown, number);
      const phone = normalizePhone(internationalPhone(number!, country!))!;
      assert.equal(currencyOfPhone(phone), currency);
      const { outcome, failureCode } = behaviourOf(phone);
      return [said, failureCode ?? outcome];
    });
    assert.deepEqual(offered, [
      ['pays', 'DEBIT'],
      ['has no balance', 'INSUFFICIENT_FUNDS'],
      ['declines', 'PAYER_DECLINED'],
      ['never answers', 'NEVER'],
    ]);
  });
}
