import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { parseCreditPermitMessage } from '../../../redeemkit/evm/creditPermit/parseCreditPermitMessage.ts'
import { settlementOf } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type { SignedRedeem } from '../../../redeemkit/redeem/preparedRedeem.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import { waitForReceipt } from '../../chains/waitForReceipt.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { usdcMethods } from '../../simulation/redeemRequest.ts'
import { check } from './demoPart.ts'
import type { DemoChain } from './demoSandbox.ts'

/**
 * Brings a signed redeem, paid with credits alone, to the contract as a relayer of its own would, and expects a refusal.
 *
 * @param transactionData what the relayer executes, which need not be what was signed
 * @returns the words of the revert, from a real transaction that was mined and reverted
 */
export async function relayRefused(
  chain: DemoChain,
  signed: SignedRedeem,
  transactionData: TransactionData = signed.prepared.request.transactionData,
): Promise<string> {
  const { prepared, signedMessages } = signed
  const { permit } = parseCreditPermitMessage(prepared.answer.message)
  const call = {
    address: chain.creditsContract,
    abi: creditsAbi,
    functionName: 'redeem',
    args: [
      {
        permit: { ...permit, signature: checked(signedMessages.permitCredits) },
        intent: { amount: BigInt(prepared.amount), usdcAmount: 0n, salt: prepared.salt },
        settlement: settlementOf(transactionData),
        usdcAuthorization: { method: usdcMethods.none, signature: '0x' },
        gasFee: 0n,
      },
    ],
  } as const
  const hash = await chain.sendAnyway(call)
  const receipt = await waitForReceipt(chain.client, hash)
  check(receipt.status === 'reverted', 'the transaction reverts')
  try {
    await chain.client.simulateContract(call)
  } catch (error) {
    const data = revertDataOf(error)
    check(data !== undefined, 'the revert has a reason')
    return decodeRevert(data).reason
  }
  throw new Error('A call that reverted a moment ago went through.')
}

function checked(signature: string): `0x${string}` {
  check(signature.startsWith('0x'), 'a signature is hex')
  // Begins with 0x, as was just seen.
  return signature as `0x${string}`
}
