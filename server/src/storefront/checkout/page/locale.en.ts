import type { OperatorName } from '../../../integrations/operators/operator.ts';
import { operatorLabels } from '../../../platform/config/operator-catalogue.ts';
import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Locale } from './locale.ts';
import { withoutLineBreaks } from './phone.ts';

const called = (operator: OperatorName) =>
  operator === 'MOCK' ? 'the simulator' : operatorLabels[operator];
const atStart = (text: string) => text[0]!.toUpperCase() + text.slice(1);

export const english: Locale = {
  language: 'en',
  tag: 'en',
  name: 'English',
  chooseLanguage: labels.en.language,
  poweredBy: 'Payment by',
  payTo: (shop) => `Pay ${shop}`,
  total: 'Total to pay',
  totalPaid: 'Total paid',
  moreItems: (count) => (count === 1 ? 'and 1 more item' : `and ${count} more items`),
  manyMoreItems: 'and many more items',
  operator: labels.en.operator,
  operatorTroubles: { DEGRADED: labels.en.operatorDegraded, DOWN: labels.en.operatorDown },
  operatorTrouble: labels.en.operatorTrouble,
  operators: operatorLabels,
  suggested: 'Chosen from the number. You can change it.',
  phone: labels.en.mobileNumber,
  phoneHint: 'You will be asked to confirm on this phone.',
  payByPhone: 'Pay by mobile money from your phone.',
  pay: (amount) => `Pay ${amount}`,
  payAgain: labels.en.tryAgain,
  sending: 'Sending the request…',
  contactShop: 'Contact the shop:',
  backToShop: 'Back to the shop',
  receipt: labels.en.viewReceipt,
  onward: labels.en.continue,
  refresh: 'Refresh the page',
  timeLeft: 'Time left to confirm',
  contacting: (operator) => ({
    title: 'Sending the request to your phone',
    advice: `We are contacting ${called(operator)}. Keep your phone at hand and leave this page open.`,
  }),
  confirm: (operator) => ({
    title: 'Confirm the payment on your phone',
    advice: `${atStart(called(operator))} has sent you a request. Enter your PIN on the phone to pay. Waiting for confirmation…`,
  }),
  checking: (operator) => ({
    title: 'We are checking with the operator',
    advice: `${atStart(called(operator))} reported a payment that differs from what we requested. Please do not pay again: the outcome will appear here once we have cleared this up. You can close this page and come back later.`,
  }),
  facts: {
    date: labels.en.dateAndTime,
    reference: labels.en.reference,
    transaction: labels.en.operatorTransaction,
  },
  paid: { title: 'Payment complete', advice: 'Thank you. Your payment has been received.' },
  alreadyPaid: {
    title: 'Payment complete',
    advice: 'This payment has already been made. You do not need to pay again.',
  },
  refunded: {
    title: 'Payment refunded',
    advice: messages.en.shopRefundedAll,
  },
  partlyRefunded: {
    title: 'Payment partly refunded',
    advice:
      'The shop refunded part of the amount to the account that paid. The receipt says how much.',
  },
  expired: {
    title: 'This link has expired',
    advice: 'You can no longer pay with this link. Ask the shop for a new one.',
  },
  number: 'Number',
  wrongNumber: 'Wrong number?',
  changeNumber:
    'We will cancel this request so that you can enter another number. If somebody still confirms the request, the money is returned automatically. If you have already entered your PIN, wait a moment.',
  otherNumber: 'Enter another number',
  keepWaiting: 'Keep waiting',
  declined: 'Payment declined',
  notConfirmed: 'Payment not confirmed',
  cancelled: {
    title: 'Previous request cancelled',
    advice: 'If somebody still confirms it on the phone, the money is returned automatically.',
  },
  failures: {
    INSUFFICIENT_FUNDS: 'Not enough balance. Top up your account or pay with another number.',
    PAYER_NOT_FOUND: 'This number has no mobile money account with this operator.',
    PAYER_LIMIT_REACHED:
      'This number has reached its payment limit. Try tomorrow, use another number or contact your operator.',
    AMOUNT_OUT_OF_RANGE: 'The operator does not accept payments of this amount.',
    PAYER_DECLINED: 'The payment was declined on the phone.',
    PAYER_AUTH_FAILED: 'The PIN was wrong. Try again carefully.',
    PAYER_UNREACHABLE: 'The phone could not be reached. Check that it is on and has a signal.',
    PAYER_BUSY:
      'Another request for this number is pending or has just ended. Wait a moment and try again.',
    PAYER_NOT_ALLOWED:
      'This number cannot make this payment. Use another number or contact your operator.',
    CONFIRMATION_TIMEOUT:
      'Nobody confirmed in time. If you are still charged, the money is returned automatically.',
    // Of disbursements only.
    INSUFFICIENT_BALANCE: 'The balance does not cover the amount.',
    OPERATOR_UNAVAILABLE: 'The operator is not available at the moment. Try again later.',
    OPERATOR_REJECTED: 'The operator rejected the payment.',
    OPERATOR_ERROR: 'The operator reported an error. Try again.',
  },
  noAttemptsLeft:
    'There are no attempts left for this payment. Go back to the shop and ask for a new link.',
  noOperator: 'No operator is available for this payment. Contact the shop.',
  phoneOfOtherCountry: (currency) =>
    currency === 'AOA'
      ? 'This payment is in kwanzas (AOA): only numbers from Angola are accepted, +244.'
      : 'This payment is in escudos (CVE): only numbers from Cape Verde are accepted, +238.',
  phoneWrong: (example) => `Enter the full number, for example ${withoutLineBreaks(example)}.`,
  operatorMissing: 'Choose an operator from the list.',
  tooManyForPhone: 'Too many attempts with this number. Wait a few minutes or use another.',
  shopNotNow:
    'This shop is not taking payments at the moment. You have not been charged. Contact the shop.',
  error: labels.en.error,
  tooMany: (seconds) => ({
    title: labels.en.tooManyRequests,
    advice: `Wait ${seconds === 1 ? '1 second' : `${seconds} seconds`} and open the page again.`,
  }),
  notFound: {
    title: 'Payment page not found',
    advice: 'Check that the link is complete, or ask the shop for a new one.',
  },
  unreadable: {
    title: 'We could not read the request',
    advice: 'Go back to the previous page and try again.',
  },
  offline: messages.en.retrying,
  away: {
    title: 'The service is not available at the moment',
    advice: 'Open the page again in a moment, before you try to pay again.',
  },
  ourFault: (reference) => ({
    title: messages.en.ourFault,
    advice: `Open the page again in a moment, before you try to pay again. Reference: ${reference}`,
  }),
  test: {
    banner: 'Test mode: nothing is charged',
    numbers: 'Test numbers',
    endsIn: 'The last digits of the number decide what happens:',
    neverConfirmed: 'Nobody confirms: expires',
    anyOther: 'Any other: paid',
  },
};
