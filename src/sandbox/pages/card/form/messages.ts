import { wireErrors } from '../../../../redeemkit/core/errors/wireErrors.ts'
import { english } from '../../../../redeemkit/core/userMessage/english.ts'
import { sameAs } from '../../../../redeemkit/core/userMessage/messageKey.ts'
import type { UserMessages } from '../../../../redeemkit/core/userMessage/userMessages.ts'
import { ptBr } from '../../../../redeemkit/languages/ptBr.ts'
import type { FieldName, FieldProblem } from './cardFields.ts'

/** What the form says in a language, beside the sentences that every error has. */
export type Words = Record<FieldName | FieldProblem | Label, string> & { sentences: UserMessages }

type Label =
  | 'title'
  | 'loading'
  | 'price'
  | 'subtotal'
  | 'fee'
  | 'total'
  | 'testMode'
  | 'save'
  | 'safe'
  | 'pay'
  | 'authorize'
  | 'paying'
  | 'still'
  | 'challengeTitle'
  | 'challengeText'
  | 'challengeFrame'
  | 'challengeLeave'
  | 'settlingTitle'
  | 'settlingText'
  | 'paidTitle'
  | 'paidText'
  | 'heldTitle'
  | 'heldText'
  | 'reference'
  | 'unknownTitle'
  | 'unknownText'
  | 'check'
  | 'stoppedTitle'
  | 'again'
  | 'insufficientFunds'
  | 'notATestCard'
  | 'challengeFailed'
  | 'challengeLate'
  | 'notSettled'
  | 'noParent'
  | 'otherEnvironment'

const en: Words = {
  sentences: english,
  title: 'Card payment',
  loading: 'Loading the card form…',
  price: 'Price',
  subtotal: 'Subtotal',
  fee: 'Fee',
  total: 'Total',
  testMode: 'Test mode: no money moves, and only test cards work.',
  email: 'Email',
  number: 'Card number',
  expiry: 'Expiry date',
  cvv: 'Security code',
  name: 'Name on card',
  save: 'Save this card for my next purchase',
  safe: 'Your card goes to the payment service only. The shop never sees its number.',
  pay: 'Pay {total}',
  authorize: 'Authorize {total}',
  paying: 'Paying…',
  still: 'This takes longer than usual. You will not be charged twice.',
  challengeTitle: 'Confirm with your bank',
  challengeText: 'Your bank wants to know that it is you. Nothing is paid before you confirm.',
  challengeFrame: 'Confirmation by your bank',
  challengeLeave: 'Use another card',
  settlingTitle: 'Almost done',
  settlingText: 'Your bank has agreed. We are completing your purchase.',
  paidTitle: 'Paid {total}',
  paidText: 'Thank you. Your purchase is complete.',
  heldTitle: '{total} authorized',
  heldText: 'Your bank has agreed. Nothing has been charged yet.',
  reference: 'Payment {paymentId}',
  unknownTitle: 'We do not know yet',
  unknownText:
    'The payment service does not answer, so we do not know whether your card was charged. Check again: you will not be charged twice.',
  check: 'Check again',
  stoppedTitle: 'This cannot be paid right now',
  again: 'Try again',
  insufficientFunds: 'There is not enough money on this card. Nothing was paid. Use another card.',
  notATestCard: 'Only test cards work here. Nothing was paid.',
  challengeFailed: 'Your bank did not confirm this payment. Nothing was paid.',
  challengeLate: 'The time to confirm with your bank has run out. Nothing was paid. Please pay again.',
  notSettled: 'Your purchase could not be completed, and your card is not charged.',
  noParent: 'This form is shown on the page of a shop.',
  otherEnvironment: 'The shop’s page and the payment service are not of the same environment.',
  emailMissing: 'Enter your email.',
  emailWrong: 'This is not an email address.',
  numberMissing: 'Enter your card number.',
  numberWrong: 'This is not a card number. Check the digits.',
  expiryMissing: 'Enter the expiry date.',
  expiryWrong: 'Enter month and year, such as 08 / 30.',
  expiryPast: 'This card has expired.',
  cvvMissing: 'Enter the security code.',
  cvvWrong: 'The code has 3 digits, or 4 on some cards.',
  nameMissing: 'Enter the name on the card.',
}

const pt: Words = {
  sentences: ptBr,
  title: 'Pagamento com cartão',
  loading: 'Carregando o formulário do cartão…',
  price: 'Preço',
  subtotal: 'Subtotal',
  fee: 'Taxa',
  total: 'Total',
  testMode: 'Modo de teste: nenhum dinheiro é movido, e só cartões de teste funcionam.',
  email: 'E-mail',
  number: 'Número do cartão',
  expiry: 'Validade',
  cvv: 'Código de segurança',
  name: 'Nome no cartão',
  save: 'Guardar este cartão para a próxima compra',
  safe: 'Seu cartão vai só para o serviço de pagamento. A loja nunca vê o número.',
  pay: 'Pagar {total}',
  authorize: 'Autorizar {total}',
  paying: 'Pagando…',
  still: 'Está demorando mais que o normal. Você não será cobrado duas vezes.',
  challengeTitle: 'Confirme com seu banco',
  challengeText: 'Seu banco quer saber se é você. Nada é pago antes da sua confirmação.',
  challengeFrame: 'Confirmação do seu banco',
  challengeLeave: 'Usar outro cartão',
  settlingTitle: 'Quase pronto',
  settlingText: 'Seu banco aprovou. Estamos concluindo sua compra.',
  paidTitle: '{total} pago',
  paidText: 'Obrigado. Sua compra foi concluída.',
  heldTitle: '{total} autorizado',
  heldText: 'Seu banco aprovou. Nada foi cobrado ainda.',
  reference: 'Pagamento {paymentId}',
  unknownTitle: 'Ainda não sabemos',
  unknownText:
    'O serviço de pagamento não responde, e não sabemos se seu cartão foi cobrado. Verifique de novo: você não será cobrado duas vezes.',
  check: 'Verificar de novo',
  stoppedTitle: 'Isto não pode ser pago agora',
  again: 'Tentar de novo',
  insufficientFunds: 'Não há saldo suficiente neste cartão. Nada foi pago. Use outro cartão.',
  notATestCard: 'Só cartões de teste funcionam aqui. Nada foi pago.',
  challengeFailed: 'Seu banco não confirmou este pagamento. Nada foi pago.',
  challengeLate: 'O tempo para confirmar com seu banco acabou. Nada foi pago. Pague de novo.',
  notSettled: 'Sua compra não pôde ser concluída, e seu cartão não é cobrado.',
  noParent: 'Este formulário é mostrado na página de uma loja.',
  otherEnvironment: 'A página da loja e o serviço de pagamento não são do mesmo ambiente.',
  emailMissing: 'Digite seu e-mail.',
  emailWrong: 'Isto não é um endereço de e-mail.',
  numberMissing: 'Digite o número do cartão.',
  numberWrong: 'Isto não é um número de cartão. Confira os dígitos.',
  expiryMissing: 'Digite a validade.',
  expiryWrong: 'Digite mês e ano, como 08 / 30.',
  expiryPast: 'Este cartão venceu.',
  cvvMissing: 'Digite o código de segurança.',
  cvvWrong: 'O código tem 3 dígitos, ou 4 em alguns cartões.',
  nameMissing: 'Digite o nome no cartão.',
}

/** The words of a language tag: Portuguese of any country, else English. */
export function wordsOf(language: string | undefined): Words {
  return /^pt\b/i.test(language ?? '') ? pt : en
}

/** What a person is told about an error: by its reason, else by its code. */
export function sentenceOf(
  words: Words,
  { code, reason }: { code: string; reason?: string | undefined },
): string {
  if (reason === 'insufficientFunds' || reason === 'notATestCard' || reason === 'challengeFailed')
    return words[reason]
  if (code === 'PAYMENT_FAILED') return words.notSettled
  if (code === 'CHALLENGE_EXPIRED') return words.challengeLate
  const name: string | undefined = Object.entries(wireErrors).find(([known]) => known === code)?.[1].name
  const { sentences } = words
  const key = Object.entries(sameAs).find(([known]) => known === name)?.[1] ?? name
  const said = Object.entries(sentences).find(([known]) => known === key)?.[1]
  return said ?? (code === 'UNAVAILABLE' ? sentences.ServiceFailureError : sentences.page)
}

/** A sentence with its placeholders filled. */
export function fill(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
}

/** Cents as people of the language write the currency's amounts. */
export function moneyText(cents: number, { currency, words }: { currency: string; words: Words }): string {
  const style = { style: 'currency', currency } as const
  const isWhole = cents % 100 === 0
  const format = new Intl.NumberFormat(
    words.sentences.locale,
    isWhole ? style : { ...style, minimumFractionDigits: 2 },
  )
  return format.format(cents / 100)
}
