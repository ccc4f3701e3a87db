import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import type { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { readTypedData } from '../eip712/readTypedData.ts'
import { checkAddress } from '../values/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../values/checkHex.ts'
import { checkText, type InvalidTextError } from '../values/checkText.ts'
import { parseUint } from '../values/checkUint.ts'
import type { CreditPermit, CreditPermitDomain } from './creditPermit.ts'
import { creditPermitTypes } from './creditPermitTypedData.ts'

/**
 * Reads the `message` that `creditsAuthMsg` answers: complete typed data as JSON text.
 *
 * Nothing is rounded and nothing is passed over: domain, types, primary type and message must have exactly the known
 * fields. `amount` may be a JSON number up to 2^53 - 1 or decimal text; so may `validBefore` and `chainId`.
 *
 * What is read is only well-formed. Whether it is what was asked for, is for the caller to compare (PROTOCOL.md 3).
 *
 * @throws UnknownTypedDataError for another layout, naming its fields; InvalidJsonError; UnsafeJsonNumberError for an
 * integer above 2^53 - 1; InvalidAddressError, InvalidAmountError, InvalidHexError, InvalidTextError,
 * InvalidChainIdError, MissingFieldError, UnknownFieldError, InvalidRecordError
 * @example
 * ```ts
 * import { parseCreditPermitMessage } from 'redeemkit/evm'
 * const read = (answer: { message: string }) => parseCreditPermitMessage(answer.message).permit.amount
 * ```
 */
export function parseCreditPermitMessage(text: string): parseCreditPermitMessage.ReturnType {
  const { domain, message } = readTypedData(checkText(text, 'message'), {
    CreditsAuthorization: creditPermitTypes.CreditsAuthorization,
  })
  return { domain, permit: readPermit(message) }
}

export declare namespace parseCreditPermitMessage {
  type ReturnType = { domain: CreditPermitDomain; permit: CreditPermit }
  type ErrorType = readTypedData.ErrorType | InvalidHexError
}

/** Reads the values of a message whose layout has been checked. */
export function readPermit(message: Record<string, unknown>): CreditPermit {
  return {
    customerWallet: checkAddress(message.customerWallet, 'message.customerWallet'),
    creditSeed: checkText(message.creditSeed, 'message.creditSeed'),
    amount: parseUint(message.amount, 'message.amount'),
    validBefore: parseUint(message.validBefore, 'message.validBefore'),
    nonce: checkHex(message.nonce, 'message.nonce', { bytes: 32 }),
  }
}

export declare namespace readPermit {
  type ErrorType = InvalidAddressError | InvalidAmountError | InvalidHexError | InvalidTextError
}
