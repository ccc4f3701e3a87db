import type { Address, Hex } from 'viem'
import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { checkOptions } from '../../core/checkOptions.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { ChainReadError } from '../client/chainReadError.ts'
import type { EvmClient } from '../client/evmClient.ts'
import { callContract } from '../client/readChain.ts'
import { checkNonZeroAddress } from '../values/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../values/checkHex.ts'
import { checkUint } from '../values/checkUint.ts'

/** `nonceState(address,bytes32)` of the credits contract. */
const selector = '0x4e684fd5'

/** What became of a permit's nonce: `unused`, `redeemed` or `cancelled` (PROTOCOL.md 6). */
export type NonceState = 'unused' | 'redeemed' | 'cancelled'

const states: readonly NonceState[] = ['unused', 'redeemed', 'cancelled']

/**
 * Reads from the credits contract what became of a permit's nonce, in the latest block.
 *
 * @param client a viem client or an EIP-1193 provider
 * @throws ChainReadError when the node cannot be asked, or there is no credits contract at the address;
 * InvalidAddressError, InvalidHexError
 * @example
 * ```ts
 * import { nonceState } from 'redeemkit/evm'
 * import type { EvmClient } from 'redeemkit/evm'
 * const isOver = async (client: EvmClient, nonce: `0x${string}`) =>
 *   (await nonceState(client, {
 *     creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *     wallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *     nonce,
 *   })) !== 'unused'
 * ```
 */
export async function nonceState(client: EvmClient, options: nonceState.Options): Promise<NonceState> {
  checkOptions(options, { creditsContract: 'any', wallet: 'any', nonce: 'any', blockNumber: 'any' })
  const creditsContract = checkNonZeroAddress(options.creditsContract, 'creditsContract')
  const wallet = checkNonZeroAddress(options.wallet, 'wallet')
  const nonce = checkHex(options.nonce, 'nonce', { bytes: 32 })
  const blockNumber =
    options.blockNumber === undefined ? undefined : checkUint(options.blockNumber, 'blockNumber')
  return readNonceState(client, { creditsContract, wallet, nonce }, { blockNumber })
}

export declare namespace nonceState {
  type Options = {
    creditsContract: Address
    wallet: Address
    nonce: Hex
    /** The block as of which it is asked. Default: the latest. */
    blockNumber?: bigint | undefined
  }
  type ReturnType = NonceState
  type ErrorType =
    | checkOptions.ErrorType
    | ChainReadError
    | InvalidAmountError
    | InvalidAddressError
    | InvalidHexError
}

/** The state of a nonce whose key has been checked. `field` is what the caller calls the client. */
export async function readNonceState(
  client: EvmClient,
  { creditsContract, wallet, nonce }: { creditsContract: Address; wallet: Address; nonce: Hex },
  at: { blockNumber?: bigint | undefined; field?: string | undefined },
): Promise<NonceState> {
  const data: Hex = `${selector}${wallet.slice(2).toLowerCase().padStart(64, '0')}${nonce.slice(2)}`
  const answer = await callContract(client, { to: creditsContract, data }, at)
  const state = answer?.length === 66 ? states[Number(BigInt(answer))] : undefined
  if (state === undefined)
    throw new ChainReadError(
      `There is no credits contract at ${creditsContract} on this chain: it answered nonceState with ${answer === undefined ? 'a revert' : showValue(answer)}.`,
      {
        field: 'creditsContract',
        fix: 'Check that the address is the credits contract, and that the client is on its chain.',
      },
    )
  return state
}
