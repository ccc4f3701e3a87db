import type { Address, Hex } from 'viem'
import type { TypedDataDomain, TypedDataMember } from '../eip712/typedData.ts'

/** Typed data to sign: complete and checked, with integers as bigints. */
export type SignableTypedData = {
  domain: TypedDataDomain
  types: Readonly<Record<string, readonly TypedDataMember[]>>
  primaryType: string
  message: object
}

// The types below use method syntax with parameters of type `never`, so that each library's more precise types are assignable. Only
// `toSigner` calls these methods.

/** A viem account, local or smart. */
export type AccountSigner = {
  address: Address
  signTypedData(parameters: never): Promise<Hex>
  signMessage(parameters: never): Promise<Hex>
}

/** An EIP-1193 provider. `address` selects one of its accounts. Default: the first account. */
export type ProviderSigner = {
  request(request: never, options?: never): Promise<unknown>
  address?: Address | undefined
}

/** A viem wallet client. */
export type WalletClientSigner = {
  request(request: never, options?: never): Promise<unknown>
  account?: { address: Address } | undefined
  chain?: { id: number } | undefined
}

/** An ethers v6 signer. */
export type EthersSigner = {
  getAddress(): Promise<string>
  signTypedData(domain: never, types: never, value: never): Promise<string>
  signMessage(message: never): Promise<string>
}

/** A viem account, a viem or wagmi wallet client, an EIP-1193 provider, or an ethers v6 signer. */
export type EvmSigner = AccountSigner | WalletClientSigner | ProviderSigner | EthersSigner
