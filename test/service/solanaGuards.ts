import { PublicKey, TransactionInstruction } from '@solana/web3.js'

/** Lighthouse assertions as wallets insert them, encoded by hand after npm's lighthouse-sdk 2.1.0. */

export const lighthouse = new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95')

const operators = { equal: 0, notEqual: 1, greater: 2, less: 3, atLeast: 4, atMost: 5 } as const

/** `data` follows the instruction number and the log level. */
function guard(number: number, account: PublicKey, data: readonly number[]): TransactionInstruction {
  return new TransactionInstruction({
    programId: lighthouse,
    keys: [{ pubkey: account, isSigner: false, isWritable: false }],
    data: Buffer.from([number, 0, ...data]),
  })
}

function u64(value: bigint): number[] {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return [...bytes]
}

/** `AssertTokenAccountMulti` with an amount, as Phantom adds it (17 bytes: amount, no delegate, derived address). */
export function tokenGuard(account: PublicKey, amount: bigint, operator: keyof typeof operators) {
  return guard(10, account, [3, 2, ...u64(amount), operators[operator], 3, 0, 0, 8])
}

/** `AssertAccountInfoMulti` with lamports and the owning program, by its number in Lighthouse (16 bytes). */
export function lamportsGuard(
  account: PublicKey,
  options: { lamports: bigint; operator: keyof typeof operators; program: number },
) {
  const { lamports, operator, program } = options
  return guard(6, account, [2, 0, ...u64(lamports), operators[operator], 3, program, 0])
}

/** No wallet adds `MemoryClose`. */
export function memoryClose(account: PublicKey) {
  return guard(1, account, [255])
}
