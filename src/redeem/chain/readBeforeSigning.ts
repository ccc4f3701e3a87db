import { ChainReadError } from '../../evm/client/chainReadError.ts'
import type { EvmClient } from '../../evm/client/evmClient.ts'
import { hasCode } from '../../evm/client/readChain.ts'
import { readNonceState } from '../../evm/creditPermit/nonceState.ts'
import { usdcToken } from '../../evm/usdcToken.ts'
import type { CheckedRedeem } from '../check/checkAnswer.ts'
import { checkFunds } from '../check/checkFunds.ts'
import { AlreadyRedeemedError, RedeemCancelledError } from '../errors.ts'
import { checkClientChain } from './lookUpRedeem.ts'
import { readFunds } from './readFunds.ts'

/**
 * What the chain tells before the wallet is asked: that the nonce is unused, and that there is enough to pay with.
 *
 * @returns whether there is code at the wallet
 * @throws AlreadyRedeemedError, RedeemCancelledError, InsufficientFundsError; ChainReadError when the chain cannot be read,
 * WrongNetworkError when it is another one
 */
export async function readBeforeSigning(
  client: EvmClient,
  { prepared, usdc }: CheckedRedeem,
): Promise<boolean> {
  const { wallet, chainId, pinned, answer } = prepared
  const { creditsContract, creditSeed } = pinned
  const { nonce } = answer
  await checkClientChain(client, chainId)
  const token = usdc && usdcToken({ chainId }).address
  if (pinned.intentBound === false) {
    // Of nonces and credits such a contract tells nothing, but it is there.
    if (!(await hasCode(client, creditsContract)))
      throw new ChainReadError(`There is no contract at ${creditsContract} on this chain.`, {
        field: 'creditsContract',
        fix: 'Check the pinned credits contract, and that the public client is on its chain.',
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
  // After the funds: this very redeem, mined between the two, must not be told as an empty wallet of which nothing was paid.
  const state = await readNonceState(client, { creditsContract, wallet, nonce }, { field: 'publicClient' })
  if (state === 'redeemed')
    throw new AlreadyRedeemedError(`Nonce ${nonce} is used: this very redeem was executed already.`, {
      field: 'nonce',
      fix: 'Look it up with findRedeem. To buy the same again, prepare it without this salt.',
    })
  if (state === 'cancelled') throw new RedeemCancelledError({ nonce, wallet })
  checkFunds(prepared, { credits, usdc: tokens })
  return hasCode(client, wallet)
}

export declare namespace readBeforeSigning {
  type ErrorType =
    | checkClientChain.ErrorType
    | checkFunds.ErrorType
    | readFunds.ErrorType
    | AlreadyRedeemedError
    | RedeemCancelledError
}
