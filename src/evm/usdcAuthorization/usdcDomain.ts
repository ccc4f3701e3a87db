import { hexToBytes } from '../bytes/hexToBytes.ts'
import { checkDomain, hashDomain } from '../eip712/hashDomain.ts'
import type { TypedDataDomain } from '../eip712/typedDataDomain.ts'
import { checkUsdcAuthorizations, usdcToken } from '../usdcToken.ts'
import { checkChainId } from '../values/checkChainId.ts'
import type { UsdcTokenOverride } from './usdcAuthorization.ts'

/** The EIP-712 domain of USDC on a chain: the pinned one, or that of a given test token. Refused on Tempo. */
export function usdcDomain(chainId: number, token: UsdcTokenOverride | undefined): TypedDataDomain {
  if (token === undefined) {
    const { address, name, version } = usdcToken({ chainId })
    return { name, version, chainId, verifyingContract: address }
  }
  checkUsdcAuthorizations(checkChainId(chainId, 'chainId'))
  return checkDomain(
    { name: token.name, version: token.version ?? '2', chainId, verifyingContract: token.address },
    'token',
  )
}

const known = new Map<number, Uint8Array>()

/** The separator of {@link usdcDomain}, as bytes. */
export function usdcDomainSeparator(chainId: number, token: UsdcTokenOverride | undefined): Uint8Array {
  if (token !== undefined) return hashDomain(usdcDomain(chainId, token))
  const cached = known.get(chainId)
  if (cached !== undefined) return cached
  const separator = hexToBytes(usdcToken({ chainId }).domainSeparator)
  known.set(chainId, separator)
  return separator
}
