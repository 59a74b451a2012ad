import { formatAge, formatAmount } from '../../platform/formats/display-format.ts';
import { formatId } from '../../platform/values/ids.ts';

const en = {
  nothing: 'nothing under this reference',
  byHand: 'entered by a person',
  thisPayment: 'this payment',
  payment: (id: string) => `payment ${formatId('pi', id)}`,
  bookedReversal: (whose: string) => `booked as a debit of ${whose} that goes back`,
  bookedDebit: (whose: string) => `booked as the debit of ${whose}`,
  bookedReturn: (kind: 'REFUND' | 'REVERSAL', id: string) =>
    `booked as what gave back ${kind === 'REFUND' ? 'refund' : 'reversal'} ${id}`,
  bookedDisbursement: (id: string) => `booked as what paid out disbursement ${id}`,
  saidNothing: 'nothing',
  byCallback: 'by callback',
  failed: (code: string) => `failed (${code})`,
  reversed: 'reversed by the operator',
  later: (said: string) => `later: ${said}`,
  succeeded: (transaction: string) => `succeeded, ${transaction}`,
  /** The status in the operator's list of a transaction that is not a success. */
  listedAs: {
    UNREADABLE: 'in its list, cannot be read',
    OPEN: 'in its list, not completed',
    FAILED: 'in its list, failed',
  } as Record<string, string>,
  gaveBack: (transaction: string) => `gave back ${transaction}`,
  sent: (ageMs: number) => `sent ${formatAge(ageMs)} ago`,
  queried: (times: number) => {
    if (times === 0) return 'not queried yet';
    return `queried ${times === 1 ? 'once' : `${times} times`}`;
  },
  answers: {
    PENDING: 'it is still pending',
    PROMPTED: 'it is still waiting for the customer',
    NOT_FOUND: 'it does not know the reference',
    UNREACHABLE: 'no usable answer',
    NOT_SENT: 'cannot be reached',
  } as Record<string, string>,
  noOutcome: 'no outcome',
  whatFor: 'unknown what for',
  debited: (amount: string, transaction: string | null) => `debited ${amount}, ${transaction}`,
  refused: (code: string | null | undefined) => `refused to return it (${code ?? 'no reason'})`,
  inSuspense: (amount: string) => `${amount} in suspense`,
  missing: (amount: string) => `${amount} missing in suspense`,
  status: (status: string) => status,
  amount: formatAmount,
};

/** The wording of both sides: the command line and programs use English. */
export type SideWords = typeof en;

const pt: SideWords = {
  nothing: 'nada com esta referência',
  byHand: 'registado por uma pessoa',
  thisPayment: 'este pagamento',
  payment: (id) => `o pagamento ${formatId('pi', id)}`,
  bookedReversal: (whose) => `registado como débito a devolver, de: ${whose}`,
  bookedDebit: (whose) => `registado como o débito de: ${whose}`,
  bookedReturn: (kind, id) =>
    kind === 'REFUND'
      ? `registado como o que devolveu o reembolso ${id}`
      : `registado como o que devolveu o estorno ${id}`,
  bookedDisbursement: (id) => `registado como o que pagou o envio ${id}`,
  saidNothing: 'nada',
  byCallback: 'por notificação',
  failed: (code) => `falhou (${code})`,
  reversed: 'anulado pelo operador',
  later: (said) => `depois: ${said}`,
  succeeded: (transaction) => `concluído, ${transaction}`,
  listedAs: {
    UNREADABLE: 'ilegível na lista do operador',
    OPEN: 'por concluir na lista do operador',
    FAILED: 'falhado na lista do operador',
  },
  gaveBack: (transaction) => `devolveu ${transaction}`,
  sent: (ageMs) => `enviado há ${formatAge(ageMs)}`,
  queried: (times) => {
    if (times === 0) return 'ainda não consultado';
    return `consultado ${times === 1 ? 'uma vez' : `${times} vezes`}`;
  },
  answers: {
    PENDING: 'ainda está pendente',
    PROMPTED: 'ainda espera pelo cliente',
    NOT_FOUND: 'não conhece a referência',
    UNREACHABLE: 'sem resposta útil',
    NOT_SENT: 'não se consegue contactar',
  },
  noOutcome: 'sem resultado',
  whatFor: 'não se sabe para que foi',
  debited: (amount, transaction) => `debitou ${amount}, ${transaction}`,
  refused: (code) => `recusou devolver (${code ?? 'sem motivo'})`,
  inSuspense: (amount) => `${amount} na conta transitória`,
  missing: (amount) => `${amount} em falta na conta transitória`,
  status: (status) => status,
  amount: formatAmount,
};

export const sideWords = { en, pt };
