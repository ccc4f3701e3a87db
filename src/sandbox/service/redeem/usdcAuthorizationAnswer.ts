import { usdcAuthorizationTypedData } from '../../../redeemkit/evm/usdcAuthorization/usdcAuthorization.ts'
import type { UsdcAuthorizationMessage } from '../../../redeemkit/schema/usdcAuthorization.ts'
import { typedDataText } from './typedDataText.ts'

/** The wire record for a USDC authorization to sign (PROTOCOL.md 2.3). */
export function usdcAuthorizationAnswer(
  options: usdcAuthorizationTypedData.Options,
): UsdcAuthorizationMessage {
  const typedData = usdcAuthorizationTypedData(options)
  const { from, to, value, validAfter, validBefore, nonce } = typedData.message
  return {
    message: typedDataText(typedData),
    messageData: {
      from,
      to,
      value: value.toString(),
      validAfter: validAfter.toString(),
      validBefore: validBefore.toString(),
      nonce,
    },
  }
}
