import { type Address, concatHex, getAddress, type Hex, pad, slice } from 'viem'
import type { EvmClient } from '../../client/evmClient.ts'
import { callContract } from '../../client/readChain.ts'
import { checkAddress } from '../../values/checkAddress.ts'
import { tempoContracts } from '../tempoContracts.ts'

/** What the account keychain knows of an access key. */
export type AccessKey = {
  keyId: Address
  kind: 'secp256k1' | 'p256' | 'webAuthn'
  /** Unix seconds; the key is dead from then on. */
  expiry: bigint
  /** Whether the account capped what the key may spend. */
  limited: boolean
  revoked: boolean
}

const getKeySelector = '0xbc298553' // getKey(address,address)
const kinds = ['secp256k1', 'p256', 'webAuthn'] as const

/**
 * Asks Tempo's account keychain for an access key of an account.
 *
 * @param client reads the Tempo chain (`eth_call`)
 * @param options.keyId address of the access key
 * @returns `undefined` when the account never authorized this key
 * @throws {@link ChainReadError} when the node does not answer
 * @see Tempo, "Account Keychain Precompile", `getKey`
 * @example
 * ```ts
 * import { getAccessKey } from 'redeemkit/evm'
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
  const account = checkAddress(options.account, 'account')
  const keyId = checkAddress(options.keyId, 'keyId')
  const data = concatHex([getKeySelector, pad(account), pad(keyId)])
  const answer = await callContract(client, { to: tempoContracts.accountKeychain, data })
  if (answer === undefined || answer.length !== 2 + 5 * 64) return undefined
  const word = (index: number): Hex => slice(answer, 32 * index, 32 * index + 32)
  const kind = kinds[Number(BigInt(word(0)))]
  const known = getAddress(slice(word(1), 12))
  if (kind === undefined || known !== keyId) return undefined
  return {
    keyId,
    kind,
    expiry: BigInt(word(2)),
    limited: BigInt(word(3)) !== 0n,
    revoked: BigInt(word(4)) !== 0n,
  }
}

export declare namespace getAccessKey {
  type Options = { account: Address; keyId: Address }
}
