import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { type Clock, unixSeconds } from '../../core/clock.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { type ChainReadError, callContract, type EvmClient } from '../../evm/client.ts'
import { tempoContracts } from '../network.ts'
import { type AccessKey, refusal, type TempoSignatureCheck } from './tempoSignatureCheck.ts'

const getKey = '0xbc298553' // getKey(address,address)
const getAllowedCalls = '0x0163e7ec' // getAllowedCalls(address,address)
const kinds = ['secp256k1', 'p256', 'webAuthn'] as const

/**
 * Reads an access key of an account from Tempo's account keychain.
 *
 * @param client reads the Tempo chain (`eth_call`)
 * @param options.keyId address of the access key
 * @returns `undefined` if the account never authorized this key
 * @throws {@link ChainReadError} when the node does not respond
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
    // before hardfork T3, keys had no call limits, so the function is unknown and reverts
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

/** Checks whether an access key may sign for the account. The caller must have verified the key's signature. */
export async function judgeAccessKey(
  client: EvmClient,
  options: judgeAccessKey.Options,
): Promise<TempoSignatureCheck> {
  const { account, keyId, kind } = options
  const accessKey = await getAccessKey(client, { account, keyId })
  if (accessKey === undefined || accessKey.kind !== kind)
    return refusal('ACCESS_KEY_UNKNOWN', `${account} never authorized the ${kind} access key ${keyId}.`)
  if (accessKey.revoked) return refusal('ACCESS_KEY_REVOKED', `Access key ${keyId} was revoked.`)
  if (accessKey.expiry <= unixSeconds(options.now))
    return refusal('ACCESS_KEY_EXPIRED', `Access key ${keyId} expired at ${accessKey.expiry}.`)
  if (accessKey.limited && options.limitedAccessKeys !== 'accept')
    return refusal(
      'ACCESS_KEY_LIMITED',
      `${account} limited the access key ${keyId}, and a permit would bypass the limit.`,
    )
  return { valid: true, kind: 'keychain', signer: keyId, accessKey }
}

export declare namespace judgeAccessKey {
  type Options = {
    account: Address
    /** Address of the access key, from its signature. */
    keyId: Address
    kind: AccessKey['kind']
    limitedAccessKeys?: 'refuse' | 'accept' | undefined
    now?: Clock | undefined
  }
}
