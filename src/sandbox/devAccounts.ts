import { keccak256, type PrivateKeyAccount, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/**
 * The sandbox's own accounts, the same on every machine. Their keys are public: they are worth nothing anywhere else.
 *
 * Anvil's well-known accounts are not used: on a fork of a real chain they have code by now, put there by strangers
 * (ERC-7702).
 */
export function devAccount(role: string): DevAccount {
  const privateKey = keccak256(stringToHex(`redeemkit sandbox: ${role}`))
  return { name: role, privateKey, account: privateKeyToAccount(privateKey) }
}

export declare namespace devAccount {
  type ErrorType = never
}

export type DevAccount = { name: string; privateKey: `0x${string}`; account: PrivateKeyAccount }
