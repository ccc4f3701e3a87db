import { checkOptions } from '../core/checkOptions.ts'
import type { InvalidOptionError } from '../core/errors/inputErrors.ts'
import type { InspectionLine } from '../core/inspection/inspection.ts'
import { addressValue, chainValue, line, purchaseLines, textValue } from '../core/inspection/values.ts'
import { goodsLines } from '../evm/creditPermit/describeCreditPermit.ts'
import { quote } from '../evm/findingTexts.ts'
import { settlementOf } from '../evm/transactionData/settlementOf.ts'
import { checkRecord } from '../evm/values.ts'
import { amountOf, type describeSigning, displayName } from './describeSigning.ts'
import type { StoredRedeemError } from './errors.ts'
import type { PreparedRedeem } from './preparedRedeem.ts'

/**
 * Returns what the customer is about to sign as labeled values. Keys and order are those that `inspect` gives a wallet for the same
 * redeem. `formatInspection` of `redeemkit/evm` renders them.
 *
 * @throws InvalidOptionError for an unknown option; the errors of `prepareRedeem` for data that is not a prepared redeem
 * @example
 * ```ts
 * import { type PreparedRedeem, signingLines } from 'redeemkit'
 * const labels = (prepared: PreparedRedeem) => signingLines(prepared).map(({ key }) => key)
 * ```
 */
export function signingLines(
  prepared: PreparedRedeem,
  options: signingLines.Options = {},
): readonly InspectionLine[] {
  const { names } = checkOptions(options, { names: 'object?' })
  checkRecord(prepared, 'prepared')
  checkRecord(prepared.request, 'prepared.request')
  const { purchaseId, request, chainId } = prepared
  const [amount, usdcAmount, fee] = [
    amountOf(prepared, 'amount'),
    amountOf(prepared, 'usdcAmount'),
    amountOf(prepared, 'gasFee'),
  ]
  const settlement = settlementOf(request.transactionData)
  const { creditsContract, creditSeed } = checkRecord(prepared.pinned, 'prepared.pinned')
  return [
    ...goodsLines({ purchaseId, settlement }, (address) => displayName(address, names)),
    ...purchaseLines({ amount, usdcAmount, fee }),
    ...(typeof creditSeed === 'string' ? [line('balance', textValue(quote(creditSeed)))] : []),
    ...(typeof creditsContract === 'string' ? [line('contract', addressValue(creditsContract))] : []),
    line('chain', chainValue(chainId)),
  ]
}

export declare namespace signingLines {
  type Options = Pick<describeSigning.Options, 'names'>
  type ErrorType = checkOptions.ErrorType | settlementOf.ErrorType | InvalidOptionError | StoredRedeemError
}
