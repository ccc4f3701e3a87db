import type { UserMessages } from '../core/userMessage/userMessages.ts'

/**
 * The user messages in Brazilian Portuguese, for `userMessage` and `describeSigning`.
 *
 * @example
 * ```ts
 * import { userMessage } from 'redeemkit'
 * import { ptBr } from 'redeemkit/languages'
 * const textOf = (error: unknown) => userMessage(error, { messages: ptBr })
 * ```
 */
export const ptBr: UserMessages = {
  locale: 'pt-BR',

  UserRejectedError: 'Você recusou a solicitação na sua carteira. Nada foi cobrado.',
  'UserRejectedError.other': 'Você recusou a solicitação na sua carteira.',
  PartlySignedError: 'A assinatura na sua carteira não foi concluída. Nada foi cobrado.',
  'PartlySignedError.rejected': 'Você recusou a segunda solicitação na sua carteira. Nada foi cobrado.',
  'PartlySignedError.network':
    'Não conseguimos acessar a rede. Nada foi cobrado. Verifique sua conexão e tente novamente.',
  WalletFailedError:
    'Sua carteira não conseguiu concluir a solicitação. Verifique se ela está aberta e desbloqueada e tente novamente.',
  'WalletFailedError.window':
    'Seu navegador bloqueou a janela da carteira. Permita pop-ups neste site e tente novamente.',
  WalletRequestPendingError:
    'Já há uma solicitação aguardando na sua carteira. Abra a carteira para continuar.',
  WalletNotConnectedError: 'Sua carteira não está conectada a esta página. Conecte-a e tente novamente.',
  WrongSignerError:
    'Sua carteira está usando outra conta. Volte para a conta com que você começou e tente novamente.',
  AccountChangedError: 'Você trocou de conta. Nada foi cobrado.',
  'AccountChangedError.disconnected': 'Você desconectou sua carteira. Nada foi cobrado.',
  WrongSignatureError:
    'Não conseguimos verificar a resposta da sua carteira. Tente novamente ou use outra carteira.',
  WrongNetworkError: 'Sua carteira está em outra rede. Troque de rede e tente novamente.',
  'WrongNetworkError.named': 'Sua carteira está em outra rede. Troque para {network} e tente novamente.',
  UnsupportedSignerError: 'Esta carteira não é compatível com esta página. Use outra carteira.',

  'InsufficientFundsError.credits':
    'Você tem {have} em créditos, e esta compra custa até {need}. Adicione créditos ou escolha outra forma de pagamento.',
  'InsufficientFundsError.usdc':
    'Você tem {have} em USDC, e esta compra custa {need}. Adicione USDC ou escolha outra forma de pagamento.',
  InsufficientCreditsError:
    'Você não tem créditos suficientes. Adicione créditos ou escolha outra forma de pagamento.',
  InsufficientUsdcError: 'Você não tem USDC suficiente. Adicione USDC ou escolha outra forma de pagamento.',
  MissingTokenAccountError:
    'Sua conta ou a conta do destinatário ainda não está pronta para USDC. Escolha outra forma de pagamento.',
  NoUsdcAuthorizationError: 'USDC não está disponível nesta rede. Escolha outra forma de pagamento.',
  MerchantBalanceError: 'O saldo da loja é insuficiente para este saque. Fale com a loja para obter ajuda.',

  RedeemWouldFailError:
    'Esta compra não pode ser concluída agora, por isso a interrompemos. Tente mais tarde ou fale com a loja.',
  SimulationFailedError: 'Esta compra não pode ser concluída agora. Tente mais tarde ou fale com a loja.',
  GasFeeTooHighError:
    'A taxa da rede está alta demais agora, por isso interrompemos este pagamento. Tente mais tarde.',
  PreparedMismatchError:
    'Não conseguimos confirmar que este pagamento corresponde à sua compra, por isso o interrompemos. Fale com a loja.',
  ExceedsAuthorizedError:
    'O preço mudou, por isso interrompemos este pagamento. Confira o novo preço e tente novamente.',
  InvalidPermitError: 'Sua assinatura não foi aceita. Tente novamente.',
  ExpiredError:
    'Esta solicitação expirou. Tente novamente. Se acontecer de novo, confira o relógio do seu aparelho.',
  NotYetValidError: 'O relógio do seu aparelho parece estar errado. Ajuste-o e tente novamente.',

  AlreadyRedeemedError: 'Você já pagou por isto. Não pague de novo.',
  'AlreadyRedeemedError.account': 'Outra conta, {paidBy}, já pagou por isto. Não pague de novo.',
  OrderUsedError:
    'Este pedido custa {expected}, mas recebeu um pagamento de {paid}. Fale com a loja antes de pagar de novo.',
  'OrderUsedError.receiver':
    'Este pedido já recebeu um pagamento de {paid}, mas para outro destinatário. Fale com a loja antes de pagar de novo.',
  OtherAttemptError:
    'Outro pagamento deste pedido foi concluído. Confira suas compras antes de pagar de novo.',
  OrderAlreadyPaidError:
    'O serviço de pagamento informa que este pedido já foi pago. Confira suas compras antes de pagar de novo.',
  OrderUnderwayError:
    'O serviço de pagamento está processando outro pagamento deste pedido. Confira suas compras antes de pagar de novo.',
  OrderCancelledError:
    'O serviço de pagamento informa que este pedido foi cancelado. Confira suas compras antes de pagar de novo.',
  stillWaiting: 'Ainda aguardando o serviço de pagamento. Não pague de novo.',
  OutcomeUnknownError: 'Ainda estamos confirmando seu pagamento. Não pague de novo.',
  'OutcomeUnknownError.network':
    'Não conseguimos acessar a rede para confirmar seu pagamento. Ele ainda pode ser concluído. Não pague de novo.',
  'OutcomeUnknownError.refused':
    'Seu pagamento foi recusado, mas ainda pode ser concluído até {until}. Não pague de novo. Confira aqui depois desse horário.',
  'OutcomeUnknownError.paid':
    'O serviço de pagamento informa que este pedido já foi pago. Não pague de novo.',
  'OutcomeUnknownError.underway':
    'O serviço de pagamento está processando outro pagamento deste pedido. Ele ainda pode ser concluído. Não pague de novo.',
  'OutcomeUnknownError.link':
    'Confirme sua identidade pelo link e continue aqui. Seu pagamento ainda pode ser concluído. Não pague de novo.',
  RedeemTimeoutError:
    'Seu pagamento está demorando mais que o normal. Ele ainda pode ser concluído. Não pague de novo.',
  RedeemRevertedError:
    'Não conseguimos concluir seu pagamento até o momento. Ele ainda pode ser concluído. Não pague de novo.',
  'RequestAbortedError.lookUp':
    'Você parou de aguardar seu pagamento. Ele ainda pode ser concluído. Não pague de novo.',
  RequestAbortedError: 'A solicitação foi cancelada antes de ser concluída.',
  RedeemCancelledError: 'Você cancelou este pagamento. Nada foi cobrado.',
  RedeemExpiredError: 'Seu pagamento expirou antes de ser concluído. Nada foi cobrado.',
  TransactionFailedError: 'A rede não aceitou seu pagamento. Confira seu saldo antes de pagar de novo.',
  StoredRedeemError:
    'Esta página perdeu o registro do seu pagamento. Confira suas compras antes de pagar de novo.',
  PurchaseStorageError:
    'Esta página não consegue salvar pagamentos neste aparelho. Permita que salve dados e confira suas compras antes de pagar de novo.',
  PurchaseMismatchError:
    'Você já iniciou outro pagamento deste pedido. Confira suas compras antes de pagar de novo.',
  PaymentStateError: 'O status do seu pagamento mudou. Confira suas compras antes de pagar de novo.',

  PaymentOutcomeUnknownError:
    'Ainda estamos confirmando seu pagamento com cartão. Não pague de novo antes de conferir suas compras.',
  CardDeclinedError: 'Seu cartão foi recusado. Nada foi cobrado.',
  FraudSuspectedError: 'Seu cartão não foi aceito. Nada foi cobrado. Escolha outra forma de pagamento.',
  InvalidCardNumberError: 'Verifique o número do seu cartão. Nada foi cobrado.',
  CardExpiredError: 'Seu cartão venceu. Nada foi cobrado. Use outro cartão.',
  CardValidationExpiredError:
    'Para usar o cartão salvo, digite novamente o código de segurança dele. Nada foi cobrado.',
  AccountValidationExpiredError: 'Para usar sua conta bancária, conecte-a novamente. Nada foi cobrado.',
  InvalidCvvError: 'Verifique o código de segurança do seu cartão. Nada foi cobrado.',
  CardRefusedError: 'Seu pagamento com cartão foi recusado. Nada foi cobrado.',
  CardFormError: 'Não foi possível carregar o formulário do cartão. Tente novamente em instantes.',
  ChallengeRequiredError:
    'Seu banco precisa confirmar que é você. Conclua a verificação do banco para pagar.',

  UnauthenticatedError: 'Sua sessão terminou. Entre novamente para continuar.',
  InvalidAuthMessageError: 'Interrompemos este login porque não conseguimos confirmar que ele é seguro.',
  'VerificationRequiredError.link':
    'Você precisa confirmar sua identidade antes de continuar. Siga o link para fazer isso.',
  VerificationRequiredError:
    'Você precisa confirmar sua identidade antes de continuar. Fale com a loja para saber como.',
  VerificationStateError:
    'Você não pode fazer isto com o status atual da sua verificação de identidade. Fale com a loja.',
  SubscriptionStateError: 'Você não pode fazer isto com seu plano de assinatura atual. Fale com a loja.',
  PaymentMethodInUseError: 'Esta conta bancária já está em uso por outro cliente. Use outra conta.',
  CustomerBlockedError: 'Você não pode pagar aqui no momento. Fale com a loja para obter ajuda.',
  GeoBlockedError: 'Isto não está disponível onde você está.',
  ForbiddenError: 'Você não tem acesso a isto. Fale com a loja para obter ajuda.',
  NotWhitelistedError: 'Esta loja ainda não pode aceitar seu pagamento. Fale com a loja para obter ajuda.',

  RateLimitedError: 'Muitas tentativas. Tente novamente em um minuto.',
  'RateLimitedError.wait': 'Muitas tentativas. Tente novamente em {wait}.',
  ServiceUnreachableError:
    'Não conseguimos acessar o serviço de pagamento. Verifique sua conexão e tente novamente.',
  ServiceTimeoutError: 'O serviço de pagamento está demorando para responder. Tente novamente em instantes.',
  ServiceFailureError: 'O serviço de pagamento está com um problema. Tente novamente em instantes.',
  ChainReadError: 'Não conseguimos acessar a rede agora. Tente novamente em instantes.',
  ModuleLoadError:
    'Não foi possível carregar uma parte desta página. Verifique sua conexão e tente novamente, ou recarregue a página.',

  page: 'Algo deu errado nesta página. Se acontecer de novo, fale com a loja.',
  unknown: 'Algo deu errado. Confira suas compras antes de pagar de novo.',
  'unknown.other': 'Algo deu errado. Tente novamente.',

  'button.notConnected': 'Conecte uma carteira para pagar',
  'button.wrongChain': 'Trocar para {network}',
  'button.switchingChain': 'Troque de rede na sua carteira',
  'button.preparing': 'Preparando seu pagamento',
  'button.checking': 'Verificando seu pagamento',
  'button.failed': 'Verificar novamente',
  'button.ready': 'Pagar {amount}',
  'button.open': 'Retomar este pagamento',
  'button.waitingForOther': 'Pagamento em andamento em outra aba',
  'button.signingPermit': 'Confirme na sua carteira',
  'button.secondClick': 'Assinar o pagamento em USDC',
  'button.signingUsdc': 'Assine o pagamento USDC na carteira',
  'button.submitting': 'Enviando seu pagamento',
  'button.lookingUp': 'Consultando seu pagamento',
  'button.stillWaiting': 'Ainda aguardando',
  'button.sendNow': 'Tentar agora',
  'button.confirming': 'Confirmando seu pagamento',
  'button.done': 'Pago',
  'button.cancel': 'Cancelar',
  'button.receipt': 'Recibo',

  'signing.transfer': 'Você envia {amount} para {target} na rede {network}.',
  'signing.call': 'Você paga até {amount} por uma compra em {target} na rede {network}.',
  'signing.bridge': 'Você paga até {amount} na rede {network} por uma compra em outra rede.',
  'signing.credits': 'Dos seus créditos: {credits}, mais uma taxa da rede de no máximo {fee}.',
  'signing.usdc': 'Do seu USDC: {usdc}. Dos seus créditos: uma taxa da rede de no máximo {fee}.',
  'signing.both':
    'Dos seus créditos: {credits}, mais uma taxa da rede de no máximo {fee}. Do seu USDC: {usdc}.',
  'signing.trust':
    'Sua assinatura aprova até este total, mas não está vinculada a esta compra. Continue somente se confiar no serviço de pagamento.',
}
