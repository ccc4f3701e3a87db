import type { Address, Hex } from 'viem'
import { checkAddress } from '../../evm/checkAddress.ts'
import { clientFix, type EvmClient, isClient, whyNoClient } from '../../evm/client.ts'
import { checkHex, checkUint, parseUint } from '../../evm/values.ts'
import { InvalidRedeemRequestError } from '../errors.ts'

export type RedeemKey = {
  wallet: Address
  /** A fee replacement changes the transaction's hash, but not the nonce. */
  nonce: Hex
  /** The contract that the caller trusts. Events of other contracts are ignored. */
  creditsContract: Address
}

export function toRedeemKey(client: EvmClient, key: RedeemKey): RedeemKey {
  checkPublicClient(client)
  return {
    wallet: checkAddress(key.wallet, 'wallet'),
    nonce: checkHex(key.nonce, 'nonce', { bytes: 32 }),
    creditsContract: checkAddress(key.creditsContract, 'creditsContract'),
  }
}

/** Accepts a bigint or its JSON form. */
export function toUint(value: bigint | number | string | undefined, field: string): bigint | undefined {
  if (value === undefined) return undefined
  return typeof value === 'bigint' ? checkUint(value, field) : parseUint(value, field)
}

/** A client is anything with `request`. The error never shows the value, because a node's URL may contain a key. */
export function checkPublicClient(client: unknown, field = 'publicClient'): EvmClient {
  if (isClient(client)) return client
  throw new InvalidRedeemRequestError(`${field} ${whyNoClient(client)}`, {
    field,
    fix: clientFix,
    source: 'EIP-1193',
  })
}

export function checkNodes({ publicClient, dryRun }: { publicClient?: unknown; dryRun?: unknown }): void {
  if (dryRun !== undefined) checkPublicClient(dryRun, 'dryRun')
  if (publicClient !== undefined) checkPublicClient(publicClient)
}
