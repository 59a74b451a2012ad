import type { CheckOperator } from '../../integrations/operators/check.ts';
import type { OperatorName } from '../../integrations/operators/operator.ts';
import { invalid } from '../../platform/errors/errors.ts';
import type { Currency } from '../../platform/values/money.ts';
import {
  currencyOfCountry,
  currencyOfPhone,
  normalizePhone,
  phoneRule,
} from '../../platform/values/phone.ts';

/** Whom a request names: a phone in any spelling, and perhaps a currency. */
interface AskedWallet {
  operatorPhone: string;
  currency?: Currency | null | undefined;
}

/** The phone in its stored form, and the currency. */
export interface Wallet {
  operatorPhone: string;
  currency: Currency;
}

/** Reads whom money is taken from or sent to. @throws VALIDATION_ERROR operatorPhone */
export function readWallet({ operatorPhone: typed, currency }: AskedWallet): Wallet {
  const operatorPhone = normalizePhone(typed);
  if (operatorPhone === undefined) throw invalid('operatorPhone', phoneRule);
  return { operatorPhone, currency: currency ?? currencyOfPhone(operatorPhone) };
}

/**
 * Checks that the wallet can be reached in this mode.
 * @throws VALIDATION_ERROR in live mode an operator or currency that is not configured, or a currency other than that
 * of the phone's country
 */
export function checkWallet(
  checkOperator: CheckOperator,
  { mode, operator }: { mode: 'live' | 'test'; operator: OperatorName },
  { operatorPhone, currency }: Wallet,
): void {
  checkOperator(mode, operator, currency);
  if (mode === 'live') requireCurrencyOfPhone(operatorPhone, currency);
}

function requireCurrencyOfPhone(phone: string, currency: Currency): void {
  const own = currencyOfCountry(phone);
  if (own !== undefined && own !== currency) {
    throw invalid('currency', `must be ${own} with this operatorPhone, by its country`);
  }
}

/** Equal for two bodies that request the same, in any notation. */
export function meaningWithWallet(body: AskedWallet): object {
  const operatorPhone = normalizePhone(body.operatorPhone) ?? body.operatorPhone;
  return { ...body, operatorPhone, currency: body.currency ?? currencyOfPhone(operatorPhone) };
}
