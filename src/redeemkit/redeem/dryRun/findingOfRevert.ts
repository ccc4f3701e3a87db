import type { Hex } from 'viem'
import { showText } from '../../core/errors/showText.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { creditsErrorOf } from '../../evm/revert/creditsErrors.ts'
import { type DecodedRevert, decodeRevert } from '../../evm/revert/decodeRevert.ts'
import type { Settlement } from '../../evm/transactionData/settlementOf.ts'
import { notTried } from './notTried.ts'

/** What the bytes mean that a redeem left when it was tried. */
export function findingOfRevert(
  data: Hex,
  { settlement, transactionData }: { settlement: Settlement; transactionData: object },
): Finding {
  const revert = decodeRevert({ data, transactionData })
  const { name = '', inner } = revert
  if (name === 'InvalidPermitSignature')
    return notTried('the node ran it without code in the place of the wallet')
  const { code = 'CALL_REVERTS', fix } = creditsErrorOf(name) ?? {}
  if (inner === undefined)
    return finding(
      'danger',
      code,
      // The credits contract itself always says why.
      `The redeem would fail: ${data === '0x' ? 'the node does not say why' : wordsOf(revert)}.`,
      { field: 'transactionData', fix },
    )
  return finding('danger', code, `The call of ${settlement.target} would revert: ${wordsOf(inner)}.`, {
    field: 'transactionData',
    fix:
      inner.data === '0x'
        ? `See whether the contract has the function ${settlement.data.slice(0, 10)}, where it reverts without a reason, and whether it uses up its gas.`
        : fix,
  })
}

/** A contract's own text is quoted, so that it does not speak in our voice. */
function wordsOf({ name, args, reason }: DecodedRevert): string {
  return name === 'Error' ? showText(String(args.reason), 300) : reason
}
