import type { Address, Hex } from 'viem'
import type { TypedDataDomain, TypedDataMember } from '../eip712/typedData.ts'

/** Typed data for a signer: complete and checked, integers as bigints. */
export type SignableTypedData = {
  domain: TypedDataDomain
  types: Readonly<Record<string, readonly TypedDataMember[]>>
  primaryType: string
  message: object
}

// Methods are written as methods and their parameters as `never`, so that every library's own, more precise
// signature fits; `toSigner` is the only place that calls them.

/** A viem account, local or smart. */
export type AccountSigner = {
  address: Address
  signTypedData(parameters: never): Promise<Hex>
  signMessage(parameters: never): Promise<Hex>
}

/** An EIP-1193 provider. `address` picks one of its accounts; without it the first is used. */
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
