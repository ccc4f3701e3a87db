import { WrongSignerError } from '../../core/errors/walletErrors.ts'
import { formatBase64 } from '../encoding.ts'
import { networkOf } from '../networks.ts'
import { isSameButGuards } from '../signer/isSameButGuards.ts'
import type { SolanaSigner } from '../signer/solanaSigner.ts'
import { toTransactionSigner } from '../signer/toTransactionSigner.ts'
import { encodeTransaction } from '../transaction/encodeTransaction.ts'
import type { ParsedTransaction } from '../transaction/parseTransaction.ts'
import type { LookupTable } from '../transactionDetails/resolveAccounts.ts'
import type { ExpectedTransfer } from './expectedTransfer.ts'
import { refuseOtherTransfers } from './refuseOtherTransfers.ts'

/**
 * Checks a transfer, then signs it with one of its two wallets. A wallet that signs first may add guards; what comes
 * back is then held against the same terms again.
 */
export async function signTransfer(
  signer: SolanaSigner,
  options: {
    /** Read once: what was checked is what is signed, even if the caller's object changes in between. */
    parsed: ParsedTransaction
    expected: ExpectedTransfer
    lookupTables: readonly LookupTable[] | undefined
    wallet: string
  },
): Promise<{ transaction: string }> {
  const { parsed, expected, lookupTables, wallet } = options
  const { address, signTransaction } = toTransactionSigner(signer, {
    chain: networkOf(expected.environment).chainIds[0],
    isSame: (before, after) => isSameButGuards(before, after) && isTransfer(after),
  })
  if (address !== wallet || signTransaction === undefined)
    throw new WrongSignerError(
      address === wallet
        ? 'The wallet cannot sign transactions.'
        : `The signer is ${address}, not ${wallet}.`,
      { field: 'signer', fix: 'Sign with the wallet that the transfer names.' },
    )
  const isTransfer = (changed: ParsedTransaction) => {
    // The signatures are looked at when the wallet's own is taken out.
    const unsigned = { ...changed, signatures: changed.signatures.map(() => new Uint8Array(64)) }
    try {
      refuseOtherTransfers(unsigned, { expected, wallet, lookupTables })
      return true
    } catch {
      return false
    }
  }
  refuseOtherTransfers(parsed, { expected, wallet, lookupTables })
  return { transaction: formatBase64(await signTransaction(encodeTransaction(parsed))) }
}

export declare namespace signTransfer {
  type ErrorType =
    | refuseOtherTransfers.ErrorType
    | toTransactionSigner.ErrorType
    | toTransactionSigner.SignErrorType
}
