import type { UserMessages } from '../core/userMessage/userMessages.ts'

/**
 * What a person is told, in Brazilian Portuguese: the whole catalogue, for `userMessage` and `describeSigning`.
 *
 * @example
 * ```ts
 * import { userMessage } from 'redeemkit'
 * import { ptBr } from 'redeemkit/languages'
 * const words = (error: unknown) => userMessage(error, { messages: ptBr })
 * ```
 */
export const ptBr: UserMessages = {
  locale: 'pt-BR',

  // A carteira
  UserRejectedError: 'Você recusou na sua carteira. Nada foi pago.',
  'UserRejectedError.other': 'Você recusou na sua carteira.',
  PartlySignedError: 'Sua carteira não terminou de assinar. Nada foi pago.',
  'PartlySignedError.rejected': 'Você recusou o segundo pedido na sua carteira. Nada foi pago.',
  'PartlySignedError.network':
    'Você assinou, mas não foi possível falar com a rede. Nada foi pago. Confira sua conexão e tente de novo.',
  WalletFailedError:
    'Sua carteira não conseguiu fazer isso. Veja se ela está aberta e desbloqueada e tente de novo.',
  'WalletFailedError.window': 'Seu navegador bloqueou a janela da sua carteira. Permita e tente de novo.',
  WalletRequestPendingError: 'Sua carteira ainda espera a sua resposta. Abra a carteira para continuar.',
  WalletNotConnectedError: 'Sua carteira não está conectada a esta página. Conecte e tente de novo.',
  WrongSignerError:
    'Sua carteira mostra uma conta diferente da que você usou no início. Escolha aquela conta e tente de novo.',
  WrongSignatureError:
    'Sua carteira respondeu com algo diferente do que foi pedido. Tente de novo ou use outra carteira.',
  WrongNetworkError: 'Sua carteira está em outra rede. Troque de rede e tente de novo.',
  'WrongNetworkError.named': 'Sua carteira está em outra rede. Troque para {network} e tente de novo.',
  UnsupportedSignerError: 'Esta carteira não pode ser usada aqui. Tente outra.',

  // O que você tem
  'InsufficientFundsError.credits':
    'Você tem {have} em créditos, e esta compra pode usar até {need}. Adicione mais ou pague de outra forma.',
  'InsufficientFundsError.usdc':
    'Você tem {have} em USDC, e esta compra usa {need}. Adicione mais ou pague de outra forma.',
  InsufficientCreditsError: 'Você não tem créditos suficientes. Adicione mais ou pague de outra forma.',
  InsufficientUsdcError: 'Você não tem USDC suficiente. Adicione mais ou pague de outra forma.',
  MissingTokenAccountError: 'Ainda não dá para enviar USDC entre estas duas contas. Pague de outra forma.',
  NoUsdcAuthorizationError: 'USDC não pode ser usado nesta rede. Pague de outra forma.',
  MerchantBalanceError: 'O saldo é baixo demais para isto.',

  // Um pagamento com créditos ou USDC que foi interrompido
  RedeemWouldFailError: 'Esta compra não daria certo agora, por isso foi interrompida.',
  SimulationFailedError: 'Esta compra não daria certo agora. Tente mais tarde ou fale com a loja.',
  GasFeeTooHighError: 'A taxa da rede está alta demais agora, por isso paramos aqui. Tente mais tarde.',
  PreparedMismatchError:
    'Este pagamento não é o que você escolheu ou não pôde ser conferido, por isso foi interrompido.',
  ExceedsAuthorizedError: 'O preço mudou enquanto você pagava. Confira o preço e comece de novo.',
  InvalidPermitError: 'Sua assinatura não foi aceita. Comece de novo.',
  ExpiredError:
    'O tempo para isto acabou. Comece de novo. Se acontecer outra vez, confira o relógio do seu aparelho.',
  NotYetValidError: 'O relógio do seu aparelho parece errado. Acerte e tente de novo.',

  // Um pagamento com créditos ou USDC que já saiu
  AlreadyRedeemedError: 'Você já pagou por isto. Não pague de novo.',
  OrderUsedError:
    'Este pedido foi usado em outro pagamento. Foi pago {paid}, e o pedido custa {expected}. Fale com a loja antes de pagar de novo.',
  'OrderUsedError.receiver':
    'Este pedido foi usado em outro pagamento de {paid}. Fale com a loja antes de pagar de novo.',
  OtherAttemptError: 'Outro pagamento deste pedido foi feito. Confira suas compras antes de pagar de novo.',
  OrderAlreadyPaidError:
    'O serviço de pagamento informa que este pedido já foi pago. Confira suas compras antes de pagar de novo.',
  OrderUnderwayError:
    'O serviço de pagamento informa que outro pagamento deste pedido está em andamento. Confira suas compras antes de pagar de novo.',
  OrderCancelledError:
    'O serviço de pagamento informa que este pedido foi cancelado. Confira suas compras antes de pagar de novo.',
  OutcomeUnknownError:
    'Ainda não se sabe se o seu pagamento foi feito. Não pague de novo: ele ainda pode ser feito.',
  'OutcomeUnknownError.network':
    'Não foi possível falar com a rede para procurar seu pagamento. Não pague de novo: ele ainda pode ser feito.',
  'OutcomeUnknownError.paid':
    'O serviço de pagamento informa que este pedido já foi pago. Não pague de novo.',
  'OutcomeUnknownError.underway':
    'O serviço de pagamento informa que outro pagamento deste pedido está em andamento. Não pague de novo: ele ainda pode ser feito.',
  'OutcomeUnknownError.link':
    'Primeiro confirme quem é: siga o link e depois continue aqui. Não pague de novo: o pagamento ainda pode ser feito.',
  RedeemTimeoutError:
    'Seu pagamento está demorando mais que o normal. Não pague de novo: ele ainda pode ser feito.',
  RedeemRevertedError: 'Seu pagamento ainda não foi feito. Não pague de novo: ele ainda pode ser feito.',
  'RequestAbortedError.lookUp':
    'Você parou quando seu pagamento já estava a caminho. Não pague de novo: ele ainda pode ser feito.',
  RequestAbortedError: 'Você parou antes de terminar.',
  RedeemCancelledError: 'Você cancelou este pagamento. Nada foi pago.',
  RedeemExpiredError: 'Seu pagamento não foi feito a tempo e não pode mais ser feito. Nada foi pago.',
  TransactionFailedError: 'A rede não aceitou seu pagamento. Confira seu saldo antes de pagar de novo.',
  StoredRedeemError:
    'Esta página perdeu o registro do seu pagamento. Confira suas compras antes de pagar de novo.',
  PurchaseMismatchError:
    'Você já começou outro pagamento por isto. Confira suas compras antes de pagar de novo.',
  PaymentStateError: 'Seu pagamento mudou neste meio-tempo. Confira suas compras antes de pagar de novo.',

  // Um pagamento com cartão
  PaymentOutcomeUnknownError:
    'Ainda não se sabe se houve cobrança no seu cartão. Não pague de novo antes de conferir suas compras.',
  CardDeclinedError: 'Seu cartão foi recusado. Nada foi pago.',
  FraudSuspectedError: 'Seu cartão não foi aceito para isto. Nada foi pago. Pague de outra forma.',
  InvalidCardNumberError: 'Confira o número do seu cartão. Nada foi pago.',
  CardExpiredError: 'Seu cartão venceu. Nada foi pago. Use outro cartão.',
  InvalidCvvError: 'Confira o código de segurança do seu cartão. Nada foi pago.',
  CardRefusedError: 'Seu pagamento com cartão foi recusado. Nada foi pago.',
  CardFormError: 'O formulário do cartão não pôde ser carregado. Tente de novo daqui a pouco.',
  ChallengeRequiredError: 'Seu banco quer confirmar que é você. Termine a confirmação para pagar.',

  // Quem é você
  UnauthenticatedError: 'Você não está mais conectado. Entre de novo para continuar.',
  InvalidAuthMessageError: 'Você não pôde entrar com segurança, por isso paramos aqui.',
  'VerificationRequiredError.link':
    'Você precisa confirmar quem é antes de continuar. Siga o link para fazer isso.',
  VerificationRequiredError: 'Você precisa confirmar quem é antes de continuar. A loja pode explicar como.',
  VerificationStateError: 'Sua verificação não permite isto agora.',
  SubscriptionStateError: 'Sua assinatura não permite isto agora.',
  PaymentMethodInUseError: 'Outra pessoa já usa esta conta. Use outra.',
  CustomerBlockedError: 'Você não pode pagar aqui no momento. A loja pode explicar.',
  GeoBlockedError: 'Isto não está disponível onde você está.',
  ForbiddenError: 'Você não pode fazer isto aqui. A loja pode explicar.',
  NotWhitelistedError: 'Esta loja ainda não pode receber seu pagamento. A loja pode explicar.',

  // O caminho
  RateLimitedError: 'Foram tentativas demais. Espere um minuto e tente de novo.',
  'RateLimitedError.wait': 'Foram tentativas demais. Espere {wait} e tente de novo.',
  ServiceUnreachableError:
    'Não foi possível falar com o serviço de pagamento. Confira sua conexão e tente de novo.',
  ServiceTimeoutError: 'O serviço de pagamento demora a responder. Tente de novo daqui a pouco.',
  ServiceFailureError: 'O serviço de pagamento está com um problema. Tente de novo daqui a pouco.',
  ChainReadError: 'Não foi possível falar com a rede agora. Tente de novo daqui a pouco.',

  // O que só a loja pode resolver
  page: 'Esta página cometeu um erro e não pôde continuar. Se acontecer de novo, avise a loja.',
  unknown: 'Algo não funcionou. Confira suas compras antes de pagar de novo.',
  'unknown.other': 'Algo não funcionou. Tente de novo.',

  // O que você está prestes a assinar
  'signing.transfer': 'Você envia {amount} para {target} na rede {network}.',
  'signing.call': 'Você paga até {amount} por uma compra em {target} na rede {network}.',
  'signing.bridge': 'Você paga até {amount} por uma compra em outra rede, passando por {network}.',
  'signing.credits': 'Sai dos seus créditos: {credits}, e no máximo {fee} a mais para a taxa da rede.',
  'signing.usdc': 'Sai do seu USDC: {usdc}, e no máximo {fee} dos seus créditos para a taxa da rede.',
  'signing.both':
    'Sai dos seus créditos: {credits}. Do seu USDC: {usdc}. Dos seus créditos para a taxa da rede: no máximo {fee}.',
  'signing.trust': 'O que você assina não diz o que está pagando: nisso você confia no serviço de pagamento.',
}
