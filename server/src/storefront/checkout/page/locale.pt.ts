import type { OperatorName } from '../../../integrations/operators/operator.ts';
import { operatorLabels } from '../../../platform/config/operator-catalogue.ts';
import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Locale } from './locale.ts';
import { withoutLineBreaks } from './phone.ts';

const operators: Locale['operators'] = { ...operatorLabels, MOCK: 'Simulador' };

/** With its article: companies are feminine. */
const called = (operator: OperatorName) =>
  `${operator === 'MOCK' ? 'o' : 'a'} ${operators[operator]}`;
const atStart = (text: string) => text[0]!.toUpperCase() + text.slice(1);

/** European Portuguese. */
export const portuguese: Locale = {
  language: 'pt',
  tag: 'pt-PT',
  name: 'Português',
  chooseLanguage: labels.pt.language,
  poweredBy: 'Pagamento por',
  payTo: (shop) => `Pagar a ${shop}`,
  total: 'Total a pagar',
  totalPaid: 'Total pago',
  moreItems: (count) => (count === 1 ? 'e mais 1 artigo' : `e mais ${count} artigos`),
  manyMoreItems: 'e muitos outros artigos',
  operator: labels.pt.operator,
  operatorTroubles: { DEGRADED: labels.pt.operatorDegraded, DOWN: labels.pt.operatorDown },
  operatorTrouble: labels.pt.operatorTrouble,
  operators,
  suggested: 'Escolhido a partir do número. Pode mudá-lo.',
  phone: labels.pt.mobileNumber,
  phoneHint: 'Vai receber um pedido de confirmação neste telemóvel.',
  payByPhone: 'Pague com o telemóvel, por mobile money.',
  pay: (amount) => `Pagar ${amount}`,
  payAgain: labels.pt.tryAgain,
  sending: 'A enviar o pedido…',
  contactShop: 'Falar com a loja:',
  backToShop: 'Voltar à loja',
  receipt: labels.pt.viewReceipt,
  onward: labels.pt.continue,
  refresh: 'Atualizar a página',
  timeLeft: 'Tempo que resta para confirmar',
  contacting: (operator) => ({
    title: 'A enviar o pedido para o seu telemóvel',
    advice: `Estamos a contactar ${called(operator)}. Tenha o telemóvel à mão e não feche esta página.`,
  }),
  confirm: (operator) => ({
    title: 'Confirme o pagamento no seu telemóvel',
    advice: `${atStart(called(operator))} enviou-lhe um pedido. Introduza o seu PIN no telemóvel para pagar. A aguardar confirmação…`,
  }),
  checking: (operator) => ({
    title: 'Estamos a verificar com o operador',
    advice: `${atStart(called(operator))} comunicou um pagamento diferente do que pedimos. Não pague outra vez: o resultado aparece aqui assim que estiver esclarecido. Pode fechar a página e voltar mais tarde.`,
  }),
  facts: {
    date: labels.pt.dateAndTime,
    reference: labels.pt.reference,
    transaction: labels.pt.operatorTransaction,
  },
  paid: { title: 'Pagamento concluído', advice: 'Obrigado. O seu pagamento foi recebido.' },
  alreadyPaid: {
    title: 'Pagamento concluído',
    advice: 'Este pagamento já foi feito. Não precisa de pagar outra vez.',
  },
  refunded: {
    title: 'Pagamento reembolsado',
    advice: messages.pt.shopRefundedAll,
  },
  partlyRefunded: {
    title: 'Pagamento reembolsado em parte',
    advice: 'A loja devolveu parte do valor à conta usada no pagamento. O recibo diz quanto.',
  },
  expired: {
    title: 'Este link expirou',
    advice: 'Já não é possível pagar com este link. Peça outro à loja.',
  },
  number: 'Número',
  wrongNumber: 'Enganou-se no número?',
  changeNumber:
    'Cancelamos este pedido para que possa escrever outro número. Se alguém ainda o confirmar, o dinheiro é devolvido automaticamente. Se já introduziu o PIN, espere um momento.',
  otherNumber: 'Escrever outro número',
  keepWaiting: 'Continuar à espera',
  declined: 'Pagamento recusado',
  notConfirmed: 'Pagamento não confirmado',
  cancelled: {
    title: 'Pedido anterior cancelado',
    advice: 'Se alguém ainda o confirmar no telemóvel, o dinheiro é devolvido automaticamente.',
  },
  failures: {
    INSUFFICIENT_FUNDS: 'Saldo insuficiente. Carregue a sua conta ou pague com outro número.',
    PAYER_NOT_FOUND: 'Este número não tem conta de mobile money neste operador.',
    PAYER_LIMIT_REACHED:
      'Este número atingiu o limite de pagamentos. Tente amanhã, use outro número ou fale com o seu operador.',
    AMOUNT_OUT_OF_RANGE: 'O operador não aceita pagamentos deste valor.',
    PAYER_DECLINED: 'O pagamento foi recusado no telemóvel.',
    PAYER_AUTH_FAILED: 'O PIN estava errado. Tente de novo com cuidado.',
    PAYER_UNREACHABLE:
      'Não foi possível contactar o telemóvel. Verifique se está ligado e com rede.',
    PAYER_BUSY:
      'Há outro pedido para este número, ou houve um há pouco. Espere um momento e tente de novo.',
    PAYER_NOT_ALLOWED:
      'Este número não pode fazer este pagamento. Use outro número ou fale com o seu operador.',
    CONFIRMATION_TIMEOUT:
      'Ninguém confirmou a tempo. Se o valor ainda for debitado, é devolvido automaticamente.',
    // Of disbursements only.
    INSUFFICIENT_BALANCE: 'O saldo não chega para o valor.',
    OPERATOR_UNAVAILABLE: 'De momento, o operador não está disponível. Tente mais tarde.',
    OPERATOR_REJECTED: 'O operador recusou o pagamento.',
    OPERATOR_ERROR: 'O operador comunicou um erro. Tente de novo.',
  },
  noAttemptsLeft: 'Já não há tentativas para este pagamento. Volte à loja e peça um novo link.',
  noOperator: 'Nenhum operador está disponível para este pagamento. Fale com a loja.',
  phoneOfOtherCountry: (currency) =>
    currency === 'AOA'
      ? 'Este pagamento é em kwanzas (AOA): só são aceites números de Angola, +244.'
      : 'Este pagamento é em escudos (CVE): só são aceites números de Cabo Verde, +238.',
  phoneWrong: (example) => `Escreva o número completo, por exemplo ${withoutLineBreaks(example)}.`,
  operatorMissing: 'Escolha um operador da lista.',
  tooManyForPhone:
    'Houve demasiadas tentativas com este número. Espere alguns minutos ou use outro.',
  shopNotNow: 'De momento, esta loja não recebe pagamentos. Nada foi cobrado. Fale com a loja.',
  error: labels.pt.error,
  tooMany: (seconds) => ({
    title: labels.pt.tooManyRequests,
    advice: `Espere ${seconds === 1 ? '1 segundo' : `${seconds} segundos`} e volte a abrir a página.`,
  }),
  notFound: {
    title: 'Página de pagamento não encontrada',
    advice: 'Verifique se o link está completo ou peça um novo à loja.',
  },
  unreadable: {
    title: 'Não foi possível ler o pedido',
    advice: 'Volte à página anterior e tente de novo.',
  },
  offline: messages.pt.retrying,
  away: {
    title: 'De momento, o serviço não está disponível',
    advice: 'Volte a abrir a página dentro de momentos, antes de tentar pagar outra vez.',
  },
  ourFault: (reference) => ({
    title: messages.pt.ourFault,
    advice: `Volte a abrir a página dentro de momentos, antes de tentar pagar outra vez. Referência: ${reference}`,
  }),
  test: {
    banner: 'Modo de teste: nada é cobrado',
    numbers: 'Números de teste',
    endsIn: 'Os últimos algarismos do número decidem o que acontece:',
    neverConfirmed: 'Ninguém confirma: expira',
    anyOther: 'Qualquer outro: pago',
  },
};
