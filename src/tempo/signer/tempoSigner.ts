import { type Address, type Hex, hashMessage, hashTypedData, type TypedDataDefinition } from 'viem'
import { checkHex } from '../../evm/values/checkHex.ts'

/** A key that signs Tempo's envelopes. Shaped as a viem account, so it goes wherever an `EvmSigner` goes. */
export type TempoSigner = {
  readonly type: 'local'
  /** The account that it signs for. */
  readonly address: Address
  readonly sign: (parameters: { hash: Hex }) => Promise<Hex>
  readonly signTypedData: (typedData: TypedDataDefinition) => Promise<Hex>
  readonly signMessage: (parameters: { message: string }) => Promise<Hex>
}

/** Makes a signer of a function that signs a digest of 32 bytes. */
export function tempoSigner(address: Address, sign: (hash: Hex) => Promise<Hex>): TempoSigner {
  return Object.freeze({
    type: 'local',
    address,
    sign: async ({ hash }) => sign(checkHex(hash, 'hash', { bytes: 32 })),
    signTypedData: async (typedData) => sign(hashTypedData(typedData)),
    signMessage: async ({ message }) => sign(hashMessage(message)),
  } satisfies TempoSigner)
}
