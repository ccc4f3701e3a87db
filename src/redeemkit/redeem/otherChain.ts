import type { Address } from 'viem'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { type InvalidAddressError, InvalidOptionError } from '../core/errors/inputErrors.ts'
import { checkNonZeroAddress } from '../evm/checkAddress.ts'
import type { EvmClient } from '../evm/client.ts'
import { checkChainId, type InvalidChainIdError } from '../evm/values.ts'
import { checkPublicClient } from './chain/redeemKey.ts'
import { readFormerContracts } from './request/readRedeemTerms.ts'

/** Another chain on which an order may have been paid, and a client for that chain. */
export type OtherChain = {
  readonly publicClient: EvmClient
  readonly chainId: number
  readonly creditsContract: Address
  /** Earlier credits contracts on that chain. */
  readonly formerContracts?: readonly Address[] | undefined
}

const kinds: OptionKinds<OtherChain> = {
  publicClient: 'any',
  chainId: 'any',
  creditsContract: 'any',
  formerContracts: 'any',
}

export function checkOtherChains(given: readonly OtherChain[] | undefined): void {
  if (given === undefined) return
  if (!Array.isArray(given))
    throw new InvalidOptionError('otherChains is not a list.', {
      field: 'otherChains',
      fix: 'Pass a list of { publicClient, chainId, creditsContract }.',
    })
  for (const [at, chain] of given.entries()) {
    const field = `otherChains[${at}]`
    const { publicClient, chainId, creditsContract } = checkOptions(chain as OtherChain, kinds, field)
    checkPublicClient(publicClient, `${field}.publicClient`)
    checkChainId(chainId, `${field}.chainId`)
    checkNonZeroAddress(creditsContract, `${field}.creditsContract`)
    readFormerContracts(chain as OtherChain, `${field}.formerContracts`)
  }
}

export declare namespace checkOtherChains {
  type ErrorType =
    | checkOptions.ErrorType
    | checkPublicClient.ErrorType
    | InvalidAddressError
    | InvalidChainIdError
    | readFormerContracts.ErrorType
    | InvalidOptionError
}
