import type { UnknownNetworkError } from '../../core/errors/inputErrors.ts'
import type { TypedDataDomain } from '../eip712/typedDataDomain.ts'
import { checkDomain } from '../eip712/typedDataDomain.ts'
import type { UsdcTokenOverride } from '../usdcToken.ts'
import { checkUsdcAuthorizations, NoUsdcAuthorizationError, pinnedUsdc } from '../usdcToken.ts'
import { checkChainId } from '../values/checkChainId.ts'
import { checkRecord } from '../values/checkKeys.ts'

/** The EIP-712 domain of USDC on a chain: the pinned one, or that of a given test token. Refused on Tempo, and for its tokens. */
export function usdcDomain(chainId: number, token: UsdcTokenOverride | undefined): TypedDataDomain {
  checkUsdcAuthorizations(checkChainId(chainId, 'chainId'))
  if (token === undefined) {
    const { address, name } = pinnedUsdc(chainId)
    return { name, version: '2', chainId, verifyingContract: address }
  }
  checkRecord(token, 'token')
  const domain = checkDomain(
    { name: token.name, version: token.version ?? '2', chainId, verifyingContract: token.address },
    'token',
  )
  // Tempo has more networks than the service; on all of them tokens have addresses that only its own factory gives (TIP-20)
  if (/^0x20c0{21}/i.test(domain.verifyingContract))
    throw new NoUsdcAuthorizationError(`${domain.verifyingContract} is a token of Tempo, without EIP-3009.`, {
      field: 'token.address',
      fix: 'Pay with credits only on Tempo.',
      docs: 'EIP-3009',
    })
  return domain
}

export declare namespace usdcDomain {
  type ErrorType = NoUsdcAuthorizationError | checkDomain.ErrorType | UnknownNetworkError
}
