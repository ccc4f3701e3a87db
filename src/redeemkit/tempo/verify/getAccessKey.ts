import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import type { ChainReadError } from '../../evm/client/chainReadError.ts'
import type { EvmClient } from '../../evm/client/evmClient.ts'
import { callContract } from '../../evm/client/readChain.ts'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import { tempoContracts } from '../tempoContracts.ts'

/** What the account keychain knows of an access key. */
export type AccessKey = {
  keyId: Address
  kind: 'secp256k1' | 'p256' | 'webAuthn'
  /** Unix seconds; the key is dead from then on. */
  expiry: bigint
  /** Whether the account limited what the key may spend, or named the calls that it may make (TIP-1011). */
  limited: boolean
  revoked: boolean
}

const getKey = '0xbc298553' // getKey(address,address)
const getAllowedCalls = '0x0163e7ec' // getAllowedCalls(address,address)
const kinds = ['secp256k1', 'p256', 'webAuthn'] as const

/**
 * Asks Tempo's account keychain for an access key of an account.
 *
 * @param client reads the Tempo chain (`eth_call`)
 * @param options.keyId address of the access key
 * @returns `undefined` when the account never authorized this key
 * @throws {@link ChainReadError} when the node does not answer
 * @see Tempo, "Account Keychain Precompile", `getKey` and `getAllowedCalls`; TIP-1011
 * @example
 * ```ts
 * import { getAccessKey } from 'redeemkit/tempo'
 * import { createClient, http } from 'viem'
 *
 * await getAccessKey(createClient({ transport: http('http://127.0.0.1:8545') }), {
 *   account: '0x480F8659821A7a5f6209cDA338A53E9Dea09DB46',
 *   keyId: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 * })
 * ```
 */
export async function getAccessKey(
  client: EvmClient,
  options: getAccessKey.Options,
): Promise<AccessKey | undefined> {
  checkOptions(options, { account: 'any', keyId: 'any' })
  const account = checkAddress(options.account, 'account')
  const keyId = checkAddress(options.keyId, 'keyId')
  const ask = (selector: Hex) =>
    callContract(client, {
      to: tempoContracts.accountKeychain,
      data: `${selector}${[account, keyId].map((address) => address.slice(2).padStart(64, '0')).join('')}`,
    })
  const answer = await ask(getKey)
  if (answer === undefined || answer.length !== 2 + 5 * 64) return undefined
  const word = (index: number): Hex => `0x${answer.slice(2 + 64 * index, 66 + 64 * index)}`
  const kind = kinds[Number(BigInt(word(0)))]
  if (kind === undefined || BigInt(word(1)) !== BigInt(keyId)) return undefined
  let limited = BigInt(word(3)) !== 0n
  if (!limited) {
    // before hardfork T3 the function is unknown and reverts: there were no scopes
    const calls = await ask(getAllowedCalls)
    limited = calls !== undefined && !/^0x0{64}/.test(calls)
  }
  return {
    keyId,
    kind,
    expiry: BigInt(word(2)),
    limited,
    revoked: BigInt(word(4)) !== 0n,
  }
}

export declare namespace getAccessKey {
  type Options = { account: Address; keyId: Address }
  type ErrorType = checkOptions.ErrorType | ChainReadError | InvalidAddressError
}
