import type { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import { type askNode, ChainReadError, type EvmClient, hasCode } from '../../evm/client.ts'
import { orderKeyOf } from '../../evm/creditPermit/orderKey.ts'
import { readOrderState } from '../../evm/creditPermit/orderState.ts'
import { pinnedUsdc } from '../../evm/usdcToken.ts'
import type { InvalidChainIdError } from '../../evm/values.ts'
import { checkFunds } from '../check/checkFunds.ts'
import { checkPaid } from '../check/checkPaid.ts'
import {
  AlreadyRedeemedError,
  type InsufficientFundsError,
  type InvalidRedeemRequestError,
  RedeemCancelledError,
} from '../errors.ts'
import type { PreparedRedeem } from '../preparedRedeem.ts'
import { checkClientChain, lookUpRedeem } from './lookUpRedeem.ts'
import { readFunds } from './readFunds.ts'

/** Reads from the chain whether the order is unused and the wallet can pay. Returns whether the wallet has code. */
export async function readBeforeSigning(client: EvmClient, prepared: PreparedRedeem): Promise<boolean> {
  const { wallet, chainId, pinned, answer, usdcAmount } = prepared
  const { creditsContract, creditSeed } = pinned
  const { nonce } = answer
  await checkClientChain(client, chainId)
  const token = usdcAmount === '0' ? undefined : pinnedUsdc(chainId).address
  if (pinned.intentBound === false) {
    // Contracts with random nonces expose neither orders nor credits.
    if (!(await hasCode(client, creditsContract)))
      throw new ChainReadError(`There is no contract at ${creditsContract} on this chain.`, {
        field: 'creditsContract',
        fix: 'Check the pinned credits contract, and that the public client is on the same chain.',
      })
    const { usdc: tokens } = await readFunds(client, { creditSeed, wallet, usdc: token })
    checkFunds(prepared, { credits: undefined, usdc: tokens })
    return hasCode(client, wallet)
  }
  const { credits, usdc: tokens = 0n } = await readFunds(client, {
    creditsContract,
    creditSeed,
    wallet,
    usdc: token,
  })
  // Read the order after the funds: a redeem mined in between must be reported as paid, not as insufficient funds.
  const { state } = await readOrderState(
    client,
    { creditsContract, wallet, orderKey: orderKeyOf(nonce) },
    { field: 'publicClient' },
  )
  if (state === 'redeemed') {
    const { outcome } = await lookUpRedeem(client, { wallet, nonce, creditsContract })
    if (outcome !== undefined) checkPaid(outcome, prepared, { contracts: [creditsContract], nonces: [nonce] })
    throw new AlreadyRedeemedError(`The order for nonce ${nonce} is already redeemed.`, {
      field: 'nonce',
      fix: 'Look up the order with findRedeem. To buy it again, use another purchaseId.',
    })
  }
  if (state === 'cancelled') throw new RedeemCancelledError({ nonce, wallet })
  checkFunds(prepared, { credits, usdc: tokens })
  return hasCode(client, wallet)
}

export declare namespace readBeforeSigning {
  type ErrorType =
    | askNode.ErrorType
    | InvalidRedeemRequestError
    | InvalidChainIdError
    | WrongNetworkError
    | InsufficientFundsError
    | readFunds.ErrorType
    | lookUpRedeem.ErrorType
    | checkPaid.ErrorType
    | AlreadyRedeemedError
    | RedeemCancelledError
}
