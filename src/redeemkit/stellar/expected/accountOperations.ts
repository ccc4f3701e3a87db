import { Asset, Operation, type xdr } from '@stellar/stellar-sdk'
import type { StellarNetwork } from '../networks.ts'

/**
 * What gives a customer without XLM an account that holds USDC, in this order: the sponsor's promise to keep the reserves, the account
 * with nothing in it unless it is there, the trustline, and the end of the promise (CAP-33).
 */
export function accountOperations(
  { from, sponsor, creates }: { from: string; sponsor: string; creates: boolean },
  { usdc }: StellarNetwork,
): xdr.Operation[] {
  const byCustomer = { source: from }
  return [
    Operation.beginSponsoringFutureReserves({ sponsoredId: from, source: sponsor }),
    ...(creates
      ? [Operation.createAccount({ destination: from, startingBalance: '0', source: sponsor })]
      : []),
    Operation.changeTrust({ asset: new Asset(usdc.code, usdc.issuer), ...byCustomer }),
    Operation.endSponsoringFutureReserves(byCustomer),
  ]
}
