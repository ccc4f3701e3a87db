import { StrKey, xdr } from '@stellar/stellar-sdk'
import { checkAmount } from '../../../../redeemkit/stellar/expected.ts'
import { checkAddress } from '../../../../redeemkit/stellar/signer/checkAddress.ts'
import { problem } from '../../http/problem.ts'
import type { TransferRequest } from '../transferChain.ts'
import { amountOf } from './transferContext.ts'

/**
 * Refuses a request that is wrong whatever the ledger says.
 *
 * @throws `ServiceProblem`; `InvalidAddressError`, `InvalidAmountError`
 */
export function checkTransferRequest(request: Omit<TransferRequest, 'sponsor'>): void {
  const { wallet, destination, cents, paymentId, call } = request
  checkAddress(wallet, 'from')
  if (!StrKey.isValidContract(destination)) checkAddress(destination, 'to')
  if (destination === wallet)
    throw problem('INVALID_REQUEST', 'A wallet cannot pay itself.', { issues: ['destination'] })
  checkAmount(amountOf(cents))
  if (paymentId !== undefined && Buffer.byteLength(paymentId) > 28)
    throw problem('INVALID_REQUEST', 'On Stellar a payment id has at most 28 bytes.', {
      issues: ['paymentId'],
    })
  call?.args.forEach((arg, index) => {
    if (!isScVal(arg))
      throw problem('INVALID_REQUEST', 'The argument is no base64 XDR of an ScVal.', {
        issues: [`call.args[${index}]`],
      })
  })
  if (call !== undefined && !StrKey.isValidContract(call.contract))
    throw problem('INVALID_REQUEST', 'A contract is named by 56 characters that begin with C.', {
      issues: ['call.contract'],
    })
}

function isScVal(arg: string): boolean {
  try {
    return xdr.ScVal.fromXDR(arg, 'base64').toXDR('base64') === arg
  } catch {
    return false
  }
}
