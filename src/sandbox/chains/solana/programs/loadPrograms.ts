import { address } from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import { lighthouseAddress, standInProgram } from '../lighthouse/standIn.ts'
import { memoV3 } from './memoV3.ts'

/** Program addresses of memo 3 and memo 4. */
const memo3 = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const memo4 = address('Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH')
const loader2 = address('BPFLoader2111111111111111111111111111111111')

/**
 * Puts programs where they are on mainnet, beside those that LiteSVM brings. LiteSVM 1.5 has memo 4 at the address of
 * memo 3: it moves to its own, and memo 3 comes back.
 */
export function loadPrograms(svm: LiteSVM): void {
  const found = svm.getAccount(memo3)
  if (found.exists) svm.addProgram(memo4, Uint8Array.from(found.data))
  svm.addProgramWithLoader(memo3, memoV3(), loader2)
  svm.addProgram(address(lighthouseAddress), standInProgram())
}
