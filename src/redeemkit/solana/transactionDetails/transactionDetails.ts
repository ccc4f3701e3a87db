import type { DecodedInstruction } from '../instruction/decodeInstruction.ts'

/** A transaction, decoded. */
export type TransactionDetails<instruction = DecodedInstruction> = {
  version: 'legacy' | 0
  feePayer: string
  /** What the fee payer pays at most: 5000 lamports a signature and the priority fee. Rent is not in it. */
  feeLamports: bigint
  signers: string[]
  missingSignatures: string[]
  /** Accounts that may be changed. */
  writable: string[]
  /** Accounts that no instruction uses. */
  unused: string[]
  blockhash: string
  instructions: instruction[]
}
