import { InvalidAuthMessageError } from '../../core/authMessage/authMessageErrors.ts'
import { formatBase64 } from '../encoding.ts'
import { programs } from '../instruction/programs.ts'
import type { ParsedTransaction } from '../transaction/parseTransaction.ts'

/** The blockhash of 32 zero bytes: the hash of no block, so that a transaction with it can never land. */
export const impossibleBlockhash = '11111111111111111111111111111111'

/**
 * Proves that a sign-in transaction can do nothing: the wallet is its only signer and only written account,
 * its only instruction is a memo (any version of the program) whose text is the sign-in text, and its
 * blockhash is all zeros, which no block has. A transaction over a nonce account would need an instruction
 * for it, so it cannot land that way either.
 *
 * @throws {@link InvalidAuthMessageError} naming the part that is not so
 */
export function checkAuthTransaction(
  parsed: ParsedTransaction,
  options: { address: string; message: string },
): undefined {
  const { address, message } = options
  const { keys, signers, instructions, lookups, blockhash, readonlyOthers } = parsed
  const [first, ...more] = instructions
  const fail = (field: string, what: string) => {
    throw new InvalidAuthMessageError(`The sign-in transaction ${what}.`, {
      field: `transaction.${field}`,
      fix: 'Do not sign it. Sign in with the message, or ask the service for a new transaction.',
      docs: 'PROTOCOL.md 8.3',
    })
  }
  if (signers !== 1 || keys[0] !== address) fail('signers', `must be signed by ${address} alone`)
  if (blockhash !== impossibleBlockhash) fail('blockhash', `could land: its blockhash is ${blockhash}`)
  if (keys.length !== 2 || readonlyOthers !== 1 || lookups.length > 0)
    fail('accounts', 'names accounts beside the wallet and the memo program')
  if (first === undefined || more.length > 0) return fail('instructions', 'must have one instruction')
  const { memo, memoV1, memoV4 } = programs
  if (![memo, memoV1, memoV4].some((program) => program === keys[first.program]))
    fail('instructions', 'is not a memo')
  // With these two accounts, the only one that a memo can name as its signer is the wallet.
  if (first.accounts.some((index) => index !== 0)) fail('instructions', 'names the wrong signer')
  if (formatBase64(first.data) !== formatBase64(new TextEncoder().encode(message)))
    fail('memo', 'has another text than the message')
}
