import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import type { InvalidAddressError, InvalidRecordError } from '../../core/errors/inputErrors.ts'
import type {
  UsdcAuthorizationMessageData,
  UsdcAuthorizationV1,
  UsdcAuthorizationV2,
} from '../../schema/usdcAuthorization.ts'
import { checkAddress } from '../values/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../values/checkHex.ts'
import { checkRecord } from '../values/checkKeys.ts'
import { checkUint } from '../values/checkUint.ts'
import type { UsdcAuthorization } from './usdcAuthorization.ts'

/** The fields that both wire versions share, integers as decimal text. */
export function authorizationRecord(authorization: UsdcAuthorization): UsdcAuthorizationMessageData {
  checkRecord(authorization, 'authorization')
  return {
    from: checkAddress(authorization.from, 'authorization.from'),
    to: checkAddress(authorization.to, 'authorization.to'),
    value: checkUint(authorization.value, 'authorization.value').toString(),
    validAfter: checkUint(authorization.validAfter, 'authorization.validAfter').toString(),
    validBefore: checkUint(authorization.validBefore, 'authorization.validBefore').toString(),
    nonce: checkHex(authorization.nonce, 'authorization.nonce', { bytes: 32 }),
  }
}

export declare namespace authorizationRecord {
  type ErrorType = InvalidAddressError | InvalidAmountError | InvalidHexError | InvalidRecordError
}

/** Whether a signed authorization comes as a wire record. */
export function isRecordOf<signed extends object>(
  signed: signed | UsdcAuthorizationV1 | UsdcAuthorizationV2,
): signed is UsdcAuthorizationV1 | UsdcAuthorizationV2 {
  return !('authorization' in checkRecord(signed, 'signed'))
}
