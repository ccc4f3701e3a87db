import { codeAt, hasOpcode } from '../opcodes/codeBelow.ts'
import { opcodes } from '../opcodes/opcodesIn.ts'
import type { EconomicContext, EconomicJudge } from './economicContext.ts'
import { differenceOf, outcomeOf } from './outcome.ts'
import { ruleFinding } from './ruleFinding.ts'

/**
 * `RECEIVER_NOT_CUSTOMER`: the wallet was played by code, because nobody has signed, and for one that is held by a key money or
 * tokens go elsewhere. That the call fails then says nothing: this run is made without the credits contract.
 */
export const looksAtWalletCode: EconomicJudge = async (context) => {
  const { call, execution, redeem, client } = context
  if (redeem.signatures !== 'assumed' || !execution.succeeded || call === undefined) return []
  if (!(await hasOpcode(context, looks))) return []
  if ((await codeAt(client, redeem.wallet, redeem.blockNumber)) !== '0x') return []
  const { succeeded, frame } = await context.callAlone()
  const difference = succeeded && differenceOf(seenIn(context, call), seenIn(context, frame))
  if (!difference) return []
  return [
    ruleFinding(
      'danger',
      'RECEIVER_NOT_CUSTOMER',
      `For a customer whose wallet has no code, ${difference}. Code has stood in for it here, as nobody has signed.`,
      'Do the same for every receiver, whether there is code at the address or not.',
    ),
  ]
}

const looks = [opcodes.extCodeSize, opcodes.extCodeCopy, opcodes.extCodeHash]

const seenIn = (context: EconomicContext, call: NonNullable<EconomicContext['call']>) =>
  outcomeOf(context, { frame: call, call })
