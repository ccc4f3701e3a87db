import type { Hex } from 'viem'
import { isEvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import { zeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { settlementOf, shapeOf } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { paymentOutcomes } from '../../../redeemkit/evm/usdcAuthorization/paymentIntentNonce.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import {
  arrivingTokens,
  readEscrow,
  type SettlementPayment,
  settleCall,
  settlementId,
} from '../../contracts/paymentSettlement.ts'
import type { ContractCall } from '../../simulation/redeemRequest.ts'
import type { PaymentRow } from '../payments/paymentRecord.ts'
import type { Service } from '../service.ts'
import { customerAuthorization } from './customerAuthorization.ts'
import { addressOf, outcomeOf, PaymentNotSettledError, type PaymentOutcome, receiverOf } from './outcome.ts'

export type SettlementChain = EvmChain & { paymentSettlement: Hex }

/** The call includes the customer's USDC part. */
export async function paymentCall(
  service: Service,
  { payment, creditSeed }: { payment: PaymentRow; creditSeed: string },
): Promise<{ chain: SettlementChain; call: ContractCall; fromOperator: bigint }> {
  const outcome = outcomeOf(payment)
  const chain = settlementChain(service, { payment, outcome })
  const { amount } = outcome
  const authorization = await customerAuthorization(service, { chain, payment, creditSeed })
  const shared = {
    id: settlementId(payment.paymentId),
    creditSeed,
    amount,
    authorization,
    nftIds: [],
  }
  const { value } = authorization
  const fromOperator = value < amount ? amount - value : 0n
  if (outcome.kind === 'execute') {
    if (service.kind === 'randomNonce')
      throw new PaymentNotSettledError("This service's credits contract accepts only customers' permits.")
    const call = await executingCall(chain, {
      ...shared,
      customer: addressOf(payment.wallet, "the customer's wallet"),
      outcome: paymentOutcomes.execute,
      receiver: zeroAddress,
      settlement: settlementOf(outcome.transactionData),
    })
    return { chain, call, fromOperator }
  }
  const receiver = receiverOf(chain, outcome)
  const call = settleCall(chain, {
    ...shared,
    customer: isOnEvm(payment) ? addressOf(payment.wallet, "the customer's wallet") : receiver,
    outcome: outcome.kind === 'credits' ? paymentOutcomes.mintCredits : paymentOutcomes.payUsdc,
    receiver,
    settlement: noSettlement,
  })
  return { chain, call, fromOperator }
}

const noSettlement: SettlementPayment['settlement'] = {
  kind: 0,
  target: zeroAddress,
  data: '0x',
  nftContract: zeroAddress,
  nftId: 0n,
  bridge: { dstChainId: 0n, dstToken: zeroAddress, isNative: false, cost: 0n },
}

/** ERC-721 tokens are forwarded by id, and a simulation finds the ids that the call will mint. */
async function executingCall(chain: SettlementChain, payment: SettlementPayment): Promise<ContractCall> {
  const { settlement, customer } = payment
  const call = settleCall(chain, payment)
  const nft = shapeOf(settlement)?.nft
  if (nft === 'token') return settleCall(chain, { ...payment, nftIds: [settlement.nftId] })
  if (nft !== 'contract') return call
  const nftIds = await arrivingTokens(chain, {
    call,
    account: chain.operator.address,
    nftContract: settlement.nftContract,
    escrow: await readEscrow(chain, customer),
  })
  return nftIds === undefined ? call : settleCall(chain, { ...payment, nftIds })
}

/** Returns the customer's chain or, without one, the service's first chain with USDC. */
function settlementChain(
  service: Service,
  { payment, outcome }: { payment: PaymentRow; outcome: PaymentOutcome },
): SettlementChain {
  const { blockchain } = payment
  const own = blockchain !== null && isEvmBlockchain(blockchain) ? service.chains.get(blockchain) : undefined
  const anywhere = outcome.kind === 'usdc' && !isOnEvm(payment)
  const chain = anywhere ? [...service.chains.values()].find(({ usdc }) => usdc !== undefined) : own
  if (chain?.paymentSettlement === undefined)
    throw new PaymentNotSettledError(
      chain === undefined
        ? `This service settles payments on ${[...service.chains.keys()].join(', ')}, not on ${blockchain ?? 'an unspecified chain'}.`
        : `This service has no settlement contract on ${chain.blockchain}.`,
    )
  return { ...chain, paymentSettlement: chain.paymentSettlement }
}

function isOnEvm({ blockchain }: PaymentRow): boolean {
  return blockchain !== null && isEvmBlockchain(blockchain)
}
