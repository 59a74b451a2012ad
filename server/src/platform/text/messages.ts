import { byLanguage } from './language.ts';

/** Sentences that several pages show: each stands here once. Texts of a single page lie beside it. */
export const messages = byLanguage({
  allowedAddressesHint: {
    pt: 'Endereços IP e redes que podem usar esta chave, um por linha. Vazio: todos.',
    en: 'IP addresses and networks that may use this key, one per line. Empty: all.',
  },
  bankOrderInPreparation: {
    pt: 'A ordem para o banco está a ser preparada.',
    en: 'The order for the bank is being prepared.',
  },
  canDoEverything: {
    pt: 'Pode fazer tudo e decide o que os outros podem fazer.',
    en: 'Can do everything, and decides what others can do.',
  },
  chooseAFile: { pt: 'Escolha um ficheiro.', en: 'Choose a file.' },
  changedSinceOpened: {
    pt: 'Houve alterações desde que abriu esta página. Veja como está agora e decida de novo.',
    en: 'This has changed since you opened the page. Check the current status, and decide again.',
  },
  chooseExpiry: { pt: 'Escolha uma das validades.', en: 'Choose one of these times.' },
  codeHint: {
    pt: 'O que a sua aplicação de códigos mostra, ou um código de recuperação.',
    en: 'From your authenticator app, or a recovery code.',
  },
  emptyPeriod: { pt: 'O período acaba antes de começar.', en: 'The period ends before it begins.' },
  endpointIsDisabled: {
    pt: 'O destino está desativado: ative-o primeiro.',
    en: 'The endpoint is disabled: enable it first.',
  },
  enterAmount: {
    pt: 'Indique um valor, por exemplo 1.500,00.',
    en: 'Enter an amount, for example 1,500.00.',
  },
  enterEmail: {
    pt: 'Escreva um e-mail, como maria@loja.cv.',
    en: 'Enter an e-mail address such as maria@loja.cv.',
  },
  eventWillBeSentAgain: {
    pt: 'O evento vai ser enviado de novo.',
    en: 'The event will be sent again.',
  },
  keyAlreadyCreated: {
    pt: 'Este formulário já criou a sua chave, e cada chave só aparece uma vez. Se não a guardou, revogue-a e crie outra.',
    en: 'This form has already created its key, and a key is shown only once. If you did not save it, revoke it and create another.',
  },
  keyRevoked: { pt: 'A chave foi revogada.', en: 'The key has been revoked.' },
  lateDisbursement: {
    pt: 'Envio feito depois de falhar',
    en: 'Disbursement made after it had failed',
  },
  lateRefund: { pt: 'Reembolso feito depois de falhar', en: 'Refund made after it had failed' },
  noMerchantMatches: {
    pt: 'Nenhum estabelecimento tem este nome ou identificador',
    en: 'No merchant has this name or id',
  },
  notConfirmedInTime: {
    pt: 'O cliente não confirmou a tempo.',
    en: 'The customer did not confirm in time.',
  },
  onItsWayToBank: { pt: 'A caminho do banco', en: 'On its way to the bank' },
  operatorContradicts: {
    pt: 'O operador contradiz os nossos registos.',
    en: 'The operator contradicts our records.',
  },
  ourFault: { pt: 'Algo correu mal do nosso lado', en: 'Something went wrong on our side' },
  phonesAreMasked: { pt: 'Os telefones estão ocultos.', en: 'Phones are masked.' },
  retrying: { pt: 'Sem ligação. A tentar de novo…', en: 'No connection. Trying again…' },
  revokeKeyHint: {
    pt: 'Os programas que usam esta chave deixam de funcionar dentro de cinco segundos. Não se pode desfazer.',
    en: 'Programs that use this key stop working within five seconds. This cannot be undone.',
  },
  saveKeyNow: {
    pt: 'Guarde-a agora: só aparece esta vez. Aqui fica apenas um resumo da chave (hash).',
    en: 'Save the key now: it is shown only once. Only its hash is stored.',
  },
  preferPassword: {
    pt: 'Prefiro palavra-passe e códigos',
    en: 'I prefer a password and codes',
  },
  shopRefundedAll: {
    pt: 'A loja devolveu o valor total à conta usada no pagamento.',
    en: 'The shop refunded the full amount to the account that paid.',
  },
  staffMustApprove: {
    pt: 'Outra pessoa da equipa tem de aprovar: o botão envia o pedido.',
    en: 'Another member of staff must approve this: the button sends the request.',
  },
  thisLinkNoLongerWorks: { pt: 'Este link já não é válido', en: 'This link no longer works' },
  upTo100OnOneLine: {
    pt: 'De 1 a 100 caracteres, numa só linha.',
    en: '1 to 100 characters, on one line.',
  },
  upTo255: { pt: 'No máximo 255 caracteres.', en: 'At most 255 characters.' },
  upTo255Required: { pt: 'De 1 a 255 caracteres.', en: '1 to 255 characters.' },
  wrongAddresses: {
    pt: 'Há um valor que não é um endereço nem uma rede, ou há mais de 100.',
    en: 'One of these is neither an address nor a network, or there are more than 100.',
  },
});
