import type { FailureCode, OperatorName } from '../../operators/operator.ts';

/** What a customer reads, in European Portuguese. */
export const operatorLabels: Record<OperatorName, string> = {
  CVMOVEL: 'CVMóvel',
  UNITEL_TMAIS: 'Unitel T+',
  MOCK: 'Simulador',
};

export const failureReasons: Record<FailureCode, string> = {
  INSUFFICIENT_FUNDS: 'Saldo insuficiente.',
  PAYER_NOT_FOUND: 'Este número não tem conta de dinheiro móvel.',
  PAYER_LIMIT_REACHED: 'A sua conta atingiu o limite de pagamentos.',
  AMOUNT_OUT_OF_RANGE: 'O operador não aceita este montante.',
  PAYER_DECLINED: 'O pagamento foi recusado no telemóvel.',
  PAYER_AUTH_FAILED: 'O PIN não está correto.',
  PAYER_UNREACHABLE: 'Não foi possível contactar o telemóvel.',
  PAYER_BUSY: 'Há outra operação em curso nesta conta.',
  PAYER_NOT_ALLOWED: 'Esta conta não pode fazer este pagamento.',
  CONFIRMATION_TIMEOUT: 'O pagamento não foi confirmado a tempo.',
  OPERATOR_UNAVAILABLE: 'O operador não está disponível de momento.',
  OPERATOR_REJECTED: 'O operador recusou o pagamento.',
  OPERATOR_ERROR: 'O operador comunicou um erro.',
};

/** `1.000,00 CVE` */
export function money(amountMinor: bigint, currency: string): string {
  const digits = amountMinor.toString().padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${whole},${digits.slice(-2)} ${currency}`;
}

/** What a customer types: a number without a country code is one of Cape Verde (7 digits) or Angola (9). */
export function internationalPhone(typed: string): string {
  const phone = typed.replace(/[\s.\-()]/g, '');
  if (/^\d{7}$/.test(phone)) return `+238${phone}`;
  if (/^\d{9}$/.test(phone)) return `+244${phone}`;
  return phone.replace(/^00/, '+');
}
