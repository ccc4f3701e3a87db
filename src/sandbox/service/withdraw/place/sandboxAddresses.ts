import { isInNetworks } from '../../http/isInNetworks.ts'

/** A country, and where it is known the state in it (ISO 3166-1 alpha-2, ISO 3166-2 without the country). */
export type Place = { country: string; state: string | null }

/**
 * Where test addresses are: halves of the networks that RFC 5737 keeps for documents. Simulated: no database of addresses is at
 * hand, so every other address is nowhere, and nothing is refused for it.
 */
export const sandboxAddresses = {
  '192.0.2.0/25': { country: 'US', state: 'NY' },
  '192.0.2.128/25': { country: 'US', state: 'WA' },
  '198.51.100.0/25': { country: 'DE', state: null },
  '198.51.100.128/25': { country: 'GB', state: null },
  '203.0.113.0/25': { country: 'KP', state: null },
  '203.0.113.128/25': { country: 'IR', state: null },
} as const satisfies Record<string, Place>

/** Where an IP address is; undefined where that is not known. */
export function placeOfAddress(address: string): Place | undefined {
  const found = Object.entries(sandboxAddresses).find(([network]) => isInNetworks(address, [network]))
  return found?.[1]
}
