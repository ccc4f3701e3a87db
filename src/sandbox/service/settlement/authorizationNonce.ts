import type { Hex } from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { settlementHash } from '../../../redeemkit/evm/creditPermit/settlementHash.ts'
import { paymentIntentNonce } from '../../../redeemkit/evm/usdcAuthorization/paymentIntentNonce.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { PaymentNotSettledError } from './errors.ts'
import { outcomeOf, type PaymentTerms } from './outcomeOf.ts'
import { addressOf, receiverOf } from './receiverOf.ts'

/**
 * Computes the nonce that the customer's USDC authorization of a payment must have (PROTOCOL.md 10.2), from what the payment does.
 *
 * @param options.payment with the authorization, order key and salt among what it carries
 * @throws {@link PaymentNotSettledError} when the payment has no receiver on an EVM chain, or lacks order key or salt
 */
export async function authorizationNonce(
  chain: EvmChain,
  options: { payment: PaymentTerms; creditSeed: string },
): Promise<Hex> {
  const { payment, creditSeed } = options
  const { customerUsdcTransferData, customerUsdcTransferDataV2, orderKey, salt } = payment.carried
  const authorization = customerUsdcTransferData ?? customerUsdcTransferDataV2
  if (authorization === undefined || orderKey === undefined || salt === undefined)
    throw new PaymentNotSettledError("The customer's USDC comes without its order key and salt.")
  const outcome = outcomeOf(payment)
  const shared = {
    orderKey,
    salt,
    customer: addressOf(payment.wallet, "the customer's wallet"),
    creditSeed,
    amount: outcome.amount,
    value: BigInt(authorization.value),
  }
  if (outcome.kind === 'execute') {
    const { transactionData } = outcome
    const bridgeAdapter =
      transactionData.type === 'decent'
        ? await chain.client.readContract({
            address: chain.creditsContract,
            abi: creditsAbi,
            functionName: 'bridgeAdapter',
          })
        : undefined
    return paymentIntentNonce({
      ...shared,
      outcome: 'execute',
      settlementHash: settlementHash(transactionData, { bridgeAdapter }),
    })
  }
  return paymentIntentNonce({
    ...shared,
    outcome: outcome.kind === 'credits' ? 'mintCredits' : 'payUsdc',
    receiver: receiverOf(chain, outcome),
  })
}
