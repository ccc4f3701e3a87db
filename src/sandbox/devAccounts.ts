import { keccak256, type PrivateKeyAccount, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/**
 * Returns an account of the sandbox, the same on every machine. Its key is public, so never send real money to it.
 *
 * Anvil's default accounts are not used, because on real chains strangers have delegated them to code (EIP-7702).
 */
export function devAccount(role: string): DevAccount {
  const known = accounts.get(role)
  if (known !== undefined) return known
  const privateKey = keccak256(stringToHex(`redeemkit sandbox: ${role}`))
  let account: PrivateKeyAccount | undefined
  const made = {
    name: role,
    privateKey,
    // Deriving an address takes milliseconds, so it happens on first use.
    get account() {
      account ??= privateKeyToAccount(privateKey)
      return account
    },
  }
  accounts.set(role, made)
  return made
}

const accounts = new Map<string, DevAccount>()

export declare namespace devAccount {
  type ErrorType = never
}

export type DevAccount = { name: string; privateKey: `0x${string}`; account: PrivateKeyAccount }
