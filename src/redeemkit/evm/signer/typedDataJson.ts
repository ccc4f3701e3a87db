import type { SignableTypedData } from './evmSigner.ts'

/**
 * Typed data as `eth_signTypedData_v4` takes it: JSON text, integers of the message as decimal text.
 *
 * Source: EIP-712.
 */
export function typedDataJson(typedData: SignableTypedData): string {
  const { domain, types, primaryType, message } = typedData
  return JSON.stringify({ domain, message, primaryType, types }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}
