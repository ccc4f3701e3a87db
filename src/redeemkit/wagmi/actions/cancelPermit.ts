import { type Config, writeContract } from '@wagmi/core'
import type { Hex } from 'viem'
import { cancelCreditPermit } from '../../evm/creditPermit/cancelCreditPermit.ts'
import { checkChainId, type InvalidChainIdError } from '../../evm/values.ts'
import { parseAbi } from '../../evm/viem.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'
import { connectionOf } from './connectionOf.ts'
import { signerOf } from './signerOf.ts'

const abi = parseAbi([
  'function cancelCreditsAuthorization(address customerWallet, bytes32 nonce, bytes signature)',
])

/**
 * Cancels a permit that was signed, and that may have been sent: the connected wallet signs the cancellation, and sends it to the credits
 * contract itself, for which it needs the chain's own coin. Whichever is mined first, redeem or cancellation, wins. Switch the wallet to
 * the chain before.
 *
 * @param parameters that of the permit: `chainId`, `nonce` and `wallet` of the `open` of an open redeem. There is no default for the chain: on
 * another one the cancellation would cost gas, and the permit would live on
 * @returns the hash of the transaction, which is not mined yet; `findRedeem` of `redeemkit` tells what became of the permit
 * @throws WalletNotConnectedError; InvalidChainIdError; WrongSignerError; PinsRequiredError for a chain that the kit does not pin; what `cancelCreditPermit` of
 * `redeemkit/evm` throws, and wagmi's `writeContract`
 * @see PROTOCOL.md 3.5
 * @example
 * ```ts
 * import type { Config } from '@wagmi/core'
 * import { cancelPermit, getOpenRedeems, type Redeemkit } from 'redeemkit/wagmi'
 * const cancelAll = async (config: Config, kit: Redeemkit) => {
 *   const { open } = await getOpenRedeems(config, { kit })
 *   for (const { open: sent } of open) if (sent) await cancelPermit(config, { kit, ...sent })
 * }
 * ```
 */
export async function cancelPermit(
  config: Config,
  parameters: cancelPermit.Parameters,
): Promise<cancelPermit.ReturnType> {
  const { nonce } = parameters
  const chainId = checkChainId(parameters.chainId, 'chainId')
  const { wallet, connector, pinned } = connectionOf(config, { ...parameters, chainId })
  const { creditsContract, domainName = 'Credits', domainVersion = '1' } = pinned
  const signature = await cancelCreditPermit(await signerOf({ connector, wallet, chainId }), {
    domain: { name: domainName, version: domainVersion, chainId, verifyingContract: creditsContract },
    customerWallet: wallet,
    nonce,
    client: config.getClient({ chainId }),
  })
  const hash = await writeContract(config, {
    abi,
    address: creditsContract,
    functionName: 'cancelCreditsAuthorization',
    args: [wallet, nonce, signature],
    account: wallet,
    connector,
    chainId,
  })
  return { hash }
}

export declare namespace cancelPermit {
  type Parameters = {
    kit: Redeemkit
    nonce: Hex
    /** The chain that the permit is for. */
    chainId: number
    /** Whose permit it is: refuses another account than this one. Default: the connected wallet's. */
    wallet?: string | undefined
  }
  type ReturnType = { hash: Hex }
  type ErrorType =
    | InvalidChainIdError
    | connectionOf.ErrorType
    | signerOf.ErrorType
    | cancelCreditPermit.ErrorType
}
