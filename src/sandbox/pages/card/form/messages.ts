import { formLanguage, placeTexts } from '../../../../redeemkit/cardForm/formPlace.ts'
import { wireErrors } from '../../../../redeemkit/core/errors/wireErrors.ts'
import { sameAs } from '../../../../redeemkit/core/userMessage/messageKey.ts'
import { english, type UserMessages } from '../../../../redeemkit/core/userMessage/userMessages.ts'
import { ptBr } from '../../../../redeemkit/languages/ptBr.ts'
import type { CardRefusal } from '../../../service/checkout/chargeCard.ts'
import type { FieldName, FieldProblem } from './cardFields.ts'

export type Texts = Record<Exclude<keyof typeof en, keyof Parts>, string> & Parts

type Parts = {
  sentences: UserMessages
  /** Messages by the error's `reason`. For other reasons, the form shows the message of the error's code. */
  refusals: Record<Exclude<CardRefusal, 'declined' | 'fraud'>, string>
}

const en = {
  sentences: english,
  refusals: {
    insufficientFunds: 'This card has insufficient funds. You have not been charged. Use another card.',
    notATestCard: 'Only test cards work here. You have not been charged.',
    challengeFailed: 'Your bank did not confirm this payment. You have not been charged.',
  },
  ...placeTexts.en,
  price: 'Price',
  subtotal: 'Subtotal',
  fee: 'Fee',
  total: 'Total',
  testMode: 'Test mode: only test cards work and no money moves.',
  email: 'Email',
  number: 'Card number',
  expiry: 'Expiry date',
  expiryExample: 'MM / YY',
  cvv: 'Security code',
  name: 'Name on card',
  save: 'Save this card for my next purchase',
  safe: 'Your card details go only to the payment service. The shop never sees your card number.',
  pay: 'Pay {total}',
  authorize: 'Authorize {total}',
  paying: 'Paying…',
  still: 'This is taking longer than usual. You will not be charged twice.',
  challengeTitle: 'Confirm with your bank',
  challengeText: 'Your bank needs to confirm it’s you. You are charged only after you confirm.',
  challengeFrame: 'Confirmation by your bank',
  challengeLeave: 'Use another card',
  settlingTitle: 'Almost done',
  settlingText: 'Your bank approved the payment. We’re completing your purchase.',
  paidTitle: 'Paid {total}',
  paidText: 'Thank you. Your purchase is complete.',
  heldTitle: '{total} authorized',
  heldText: 'Your bank approved the payment. You have not been charged yet.',
  reference: 'Payment {paymentId}',
  unknownTitle: 'We’re still confirming your payment',
  unknownText:
    'We can’t reach the payment service to confirm whether your card was charged. Check again. You will not be charged twice.',
  check: 'Check again',
  stoppedTitle: 'Payment is not available right now',
  challengeLate:
    'The time to confirm with your bank has run out. You have not been charged. Please try again.',
  notSettled: 'Your purchase could not be completed. You have not been charged.',
  noParent: 'This form only works inside a shop’s page.',
  otherEnvironment: 'This shop’s page isn’t set up correctly. Contact the shop.',
  emailMissing: 'Enter your email.',
  emailWrong: 'Enter a valid email address.',
  numberMissing: 'Enter your card number.',
  numberWrong: 'Check the card number.',
  expiryMissing: 'Enter the expiry date.',
  expiryWrong: 'Enter month and year, such as 08 / 30.',
  expiryPast: 'This card has expired.',
  cvvMissing: 'Enter the security code.',
  cvvWrong: 'The code has 3 digits, or 4 on some cards.',
  nameMissing: 'Enter the name on the card.',
} satisfies Record<FieldName | FieldProblem, string> & Parts & Record<string, unknown>

const pt: Texts = {
  sentences: ptBr,
  refusals: {
    insufficientFunds: 'Este cartão não tem saldo suficiente. Nada foi cobrado. Use outro cartão.',
    notATestCard: 'Só cartões de teste funcionam aqui. Nada foi cobrado.',
    challengeFailed: 'Seu banco não confirmou este pagamento. Nada foi cobrado.',
  },
  ...placeTexts.pt,
  price: 'Preço',
  subtotal: 'Subtotal',
  fee: 'Taxa',
  total: 'Total',
  testMode: 'Modo de teste: só cartões de teste funcionam, e nada é cobrado.',
  email: 'E-mail',
  number: 'Número do cartão',
  expiry: 'Validade',
  expiryExample: 'MM / AA',
  cvv: 'Código de segurança',
  name: 'Nome no cartão',
  save: 'Guardar este cartão para a próxima compra',
  safe: 'Os dados do cartão vão apenas para o serviço de pagamento. A loja nunca vê o número.',
  pay: 'Pagar {total}',
  authorize: 'Autorizar {total}',
  paying: 'Pagando…',
  still: 'Está demorando mais que o normal. Nada será cobrado duas vezes.',
  challengeTitle: 'Confirme com seu banco',
  challengeText: 'Seu banco precisa confirmar que é você. A cobrança só é feita depois da confirmação.',
  challengeFrame: 'Confirmação do seu banco',
  challengeLeave: 'Usar outro cartão',
  settlingTitle: 'Quase pronto',
  settlingText: 'Seu banco aprovou o pagamento. Estamos concluindo sua compra.',
  paidTitle: 'Pagamento de {total} concluído',
  paidText: 'Obrigado. Sua compra foi concluída.',
  heldTitle: 'Pagamento de {total} autorizado',
  heldText: 'Seu banco aprovou o pagamento. Ainda não houve cobrança.',
  reference: 'Pagamento {paymentId}',
  unknownTitle: 'Ainda estamos confirmando seu pagamento',
  unknownText:
    'Não conseguimos acessar o serviço de pagamento para confirmar se seu cartão foi cobrado. Verifique de novo. Nada será cobrado duas vezes.',
  check: 'Verificar de novo',
  stoppedTitle: 'O pagamento não está disponível no momento',
  challengeLate: 'O tempo para confirmar com seu banco acabou. Nada foi cobrado. Tente novamente.',
  notSettled: 'Não foi possível concluir sua compra. Nada foi cobrado.',
  noParent: 'Este formulário só funciona dentro da página de uma loja.',
  otherEnvironment: 'A página desta loja não está configurada corretamente. Fale com a loja.',
  emailMissing: 'Digite seu e-mail.',
  emailWrong: 'Digite um e-mail válido.',
  numberMissing: 'Digite o número do cartão.',
  numberWrong: 'Confira o número do cartão.',
  expiryMissing: 'Digite a validade.',
  expiryWrong: 'Digite mês e ano, como 08 / 30.',
  expiryPast: 'Este cartão venceu.',
  cvvMissing: 'Digite o código de segurança.',
  cvvWrong: 'O código tem 3 dígitos, ou 4 em alguns cartões.',
  nameMissing: 'Digite o nome no cartão.',
}

const catalogues: Record<keyof typeof placeTexts, Texts> = { en, pt }

export function textsOf(tag: string): Texts {
  return catalogues[formLanguage(tag)]
}

export function messageOf(
  texts: Texts,
  { code, reason }: { code: string; reason?: string | undefined },
): string {
  const refusal = Object.entries(texts.refusals).find(([known]) => known === reason)?.[1]
  if (refusal !== undefined) return refusal
  if (code === 'PAYMENT_FAILED') return texts.notSettled
  if (code === 'CHALLENGE_EXPIRED') return texts.challengeLate
  const name: string | undefined = Object.entries(wireErrors).find(([known]) => known === code)?.[1].name
  const { sentences } = texts
  const key = Object.entries(sameAs).find(([known]) => known === name)?.[1] ?? name
  const said = Object.entries(sentences).find(([known]) => known === key)?.[1]
  return said ?? (code === 'UNAVAILABLE' ? sentences.ServiceFailureError : sentences.page)
}

export function moneyText(cents: number, { currency, texts }: { currency: string; texts: Texts }): string {
  const style = { style: 'currency', currency } as const
  const isWhole = cents % 100 === 0
  const format = new Intl.NumberFormat(
    texts.sentences.locale,
    isWhole ? style : { ...style, minimumFractionDigits: 2 },
  )
  return format.format(cents / 100)
}
