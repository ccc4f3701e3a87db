import type { Address, Hex } from 'viem'
import type { InvalidAmountError } from '../../core/amount.ts'
import { checkOptions } from '../../core/checkOptions.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkNonZeroAddress } from '../checkAddress.ts'
import { ChainReadError, callContract, type EvmClient } from '../client.ts'
import { checkHex, checkUint, type InvalidHexError } from '../values.ts'

/** `orderState(address,bytes12)` of the credits contract. */
const selector = '0x40f2aba9'

/** State of a wallet's order on one credits contract. */
export type OrderState = {
  /** `redeemed`: a permit for the order was redeemed. `cancelled`: no permit for the order can be redeemed any more. */
  state: 'unused' | 'redeemed' | 'cancelled'
  /** 20 bytes: the last 20 bytes of the nonce that was redeemed or cancelled; zero for an unused order. */
  commitment: Hex
  /** Unix seconds of the block in which the order was redeemed or cancelled; `0n` for an unused order. */
  timestamp: bigint
}

/** All states, in the order of the contract's enum. */
export const orderStates: readonly OrderState['state'][] = ['unused', 'redeemed', 'cancelled']

/**
 * Reads the state of a wallet's order from the credits contract (PROTOCOL.md 6).
 *
 * @param client a viem client or an EIP-1193 provider
 * @throws ChainReadError when the node does not respond, or there is no credits contract at the address;
 * InvalidAddressError, InvalidHexError
 * @example
 * ```ts
 * import { type EvmClient, orderKey, orderState } from 'redeemkit/evm'
 * const isClosed = async (client: EvmClient, purchaseId: string) => {
 *   const { state } = await orderState(client, {
 *     creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *     wallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *     orderKey: orderKey({ merchantId: 'my-shop', purchaseId }),
 *   })
 *   return state !== 'unused'
 * }
 * ```
 */
export async function orderState(client: EvmClient, options: orderState.Options): Promise<OrderState> {
  checkOptions(options, { creditsContract: 'any', wallet: 'any', orderKey: 'any', blockNumber: 'any' })
  const creditsContract = checkNonZeroAddress(options.creditsContract, 'creditsContract')
  const wallet = checkNonZeroAddress(options.wallet, 'wallet')
  const key = checkHex(options.orderKey, 'orderKey', { bytes: 12 })
  const blockNumber =
    options.blockNumber === undefined ? undefined : checkUint(options.blockNumber, 'blockNumber')
  return readOrderState(client, { creditsContract, wallet, orderKey: key }, { blockNumber })
}

export declare namespace orderState {
  type Options = {
    creditsContract: Address
    wallet: Address
    /** The order key: 12 bytes, as `orderKey` returns it. */
    orderKey: Hex
    /** The block to read. Default: the latest block. */
    blockNumber?: bigint | undefined
  }
  type ReturnType = OrderState
  type ErrorType =
    | checkOptions.ErrorType
    | ChainReadError
    | InvalidAmountError
    | InvalidAddressError
    | InvalidHexError
}

/** Like {@link orderState}, for checked values. `field` is the name of the client option in errors. */
export async function readOrderState(
  client: EvmClient,
  { creditsContract, wallet, orderKey }: { creditsContract: Address; wallet: Address; orderKey: Hex },
  at: { blockNumber?: bigint | undefined; field?: string | undefined },
): Promise<OrderState> {
  const data: Hex = `${selector}${wallet.slice(2).toLowerCase().padStart(64, '0')}${orderKey.slice(2).padEnd(64, '0')}`
  const answer = await callContract(client, { to: creditsContract, data }, at)
  const word = (index: number): Hex => `0x${answer?.slice(2 + 64 * index, 66 + 64 * index).toLowerCase()}`
  const state = answer?.length === 194 ? orderStates[Number(BigInt(word(0)))] : undefined
  if (state === undefined)
    throw new ChainReadError(
      `There is no credits contract at ${creditsContract} on this chain: orderState ${answer === undefined ? 'reverted' : `returned ${showValue(answer)}`}.`,
      {
        field: 'creditsContract',
        fix: 'Check the address of the credits contract, and that the client is on the same chain.',
      },
    )
  // the ABI left-aligns bytes20 in its 32-byte word
  return { state, commitment: word(1).slice(0, 42) as Hex, timestamp: BigInt(word(2)) }
}
