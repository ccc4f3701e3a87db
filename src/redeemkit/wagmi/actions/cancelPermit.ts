import { type Config, writeContract } from '@wagmi/core'
import type { Hex } from 'viem'
import { cancelCreditPermit } from '../../evm/creditPermit/cancelCreditPermit.ts'
import { creditsDomain } from '../../evm/creditPermit/creditPermit.ts'
import { checkChainId, type InvalidChainIdError } from '../../evm/values.ts'
import type { Redeemkit } from '../kit.ts'
import { type MutationOf, type MutationOptionsOf, mutationDefaults } from '../queryOptions.ts'
import { connectionOf, signerOf } from './connectionOf.ts'

const abi = [
  {
    type: 'function',
    name: 'cancelCreditsAuthorization',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'customerWallet', type: 'address' },
      { name: 'nonce', type: 'bytes32' },
      { name: 'signature', type: 'bytes' },
    ],
    outputs: [],
  },
] as const

/**
 * Cancels a signed permit that may be submitted. The connected wallet signs the cancellation and sends it to the credits contract, paying
 * gas in the chain's native coin. The redeem or the cancellation takes effect, depending on which is mined first. Switch the wallet to the
 * chain before you call this.
 *
 * @param parameters `chainId`, `nonce` and `wallet` from the `open` of an open redeem. `chainId` has no default, because a cancellation on
 * another chain costs gas and cancels nothing
 * @returns the hash of the transaction, which is not mined yet; `findRedeem` of `redeemkit` reports the outcome
 * @throws WalletNotConnectedError; InvalidChainIdError; WrongSignerError; PinsRequiredError for a chain that is not pinned; the errors of
 * `cancelCreditPermit` of `redeemkit/evm` and of wagmi's `writeContract`
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
  const { creditsContract, domainName = creditsDomain.name, domainVersion = creditsDomain.version } = pinned
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
    /** Chain of the permit. */
    chainId: number
    /** Wallet of the permit. Another account is rejected. Default: the connected wallet. */
    wallet?: string | undefined
  }
  type ReturnType = { hash: Hex }
  type ErrorType =
    | InvalidChainIdError
    | connectionOf.ErrorType
    | signerOf.ErrorType
    | cancelCreditPermit.ErrorType
}

/**
 * Returns TanStack Query mutation options that cancel a permit. Refreshes the open redeems afterwards.
 * @example
 * ```ts
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import type { Config } from '@wagmi/core'
 * import { type Redeemkit, cancelPermitMutationOptions } from 'redeemkit/wagmi'
 * const ask = (config: Config, kit: Redeemkit) =>
 *   new MutationObserver(new QueryClient(), cancelPermitMutationOptions(config, { kit })).mutate({
 *     chainId: 8453,
 *     nonce: `0x${'01'.repeat(32)}`,
 *   })
 * ```
 */
export function cancelPermitMutationOptions(
  config: Config,
  { kit, mutation }: cancelPermitMutationOptions.Parameters,
): cancelPermitMutationOptions.ReturnType {
  return {
    ...mutationDefaults,
    ...mutation,
    mutationKey: ['redeemkit', 'cancelPermit', { kit: kit.key }],
    mutationFn: (variables) => cancelPermit(config, { kit, ...variables }),
    onSettled: (data, error, variables, onMutated, context) => {
      // Refreshes in the background.
      for (const what of ['openRedeems', 'prepareRedeem'])
        void context.client.invalidateQueries({ queryKey: ['redeemkit', what] })
      return mutation?.onSettled?.(data, error, variables, onMutated, context)
    },
  }
}

export declare namespace cancelPermitMutationOptions {
  type Variables = Omit<cancelPermit.Parameters, 'kit'>
  type Parameters = { kit: Redeemkit } & MutationOf<cancelPermit.ReturnType, Variables>
  type ReturnType = MutationOptionsOf<cancelPermit.ReturnType, Variables>
}
