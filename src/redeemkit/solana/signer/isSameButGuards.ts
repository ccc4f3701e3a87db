import { isGuard, maxGuards } from '../instruction/isGuard.ts'
import { readInstruction } from '../instruction/readInstruction.ts'
import { transferLayouts } from '../instruction/transferLayouts.ts'
import type { ParsedTransaction } from '../transaction/parseTransaction.ts'

/**
 * Whether a transaction came back from a wallet with nothing but guards added (see `isGuard`): the same fee payer,
 * blockhash, version and lookup tables; every instruction in its place among the others, with the same data and the
 * same accounts in the same roles; and no new account but those that the guards read, which neither sign nor are
 * written. Accounts may be numbered anew: they are compared by address.
 */
export function isSameButGuards(before: ParsedTransaction, after: ParsedTransaction): boolean {
  const [was, is] = [rolesOf(before), rolesOf(after)]
  const wanted = namedInstructions(before)
  const read = new Set<string>()
  let [next, guards] = [0, 0]
  for (const instruction of namedInstructions(after))
    if (JSON.stringify(instruction) === JSON.stringify(wanted[next])) next++
    else if (
      guards < maxGuards &&
      isGuard(readInstruction({ ...instruction, data: Uint8Array.from(instruction.data) }, transferLayouts))
    ) {
      guards++
      for (const account of [instruction.programId, ...instruction.accounts]) read.add(account)
    } else return false
  return (
    next === wanted.length &&
    before.version === after.version &&
    before.blockhash === after.blockhash &&
    before.keys[0] === after.keys[0] &&
    JSON.stringify(before.lookups) === JSON.stringify(after.lookups) &&
    before.keys.every((key) => is.get(key) === was.get(key)) &&
    after.keys.every((key) => was.has(key) || (read.has(key) && is.get(key) === 'read'))
  )
}

/** What the message lets each of its own accounts do. */
function rolesOf({ keys, signers, readonlySigners, readonlyOthers }: ParsedTransaction): Map<string, string> {
  return new Map(
    keys.map((key, index) => [
      key,
      index < signers
        ? index < signers - readonlySigners
          ? 'sign and write'
          : 'sign'
        : index < keys.length - readonlyOthers
          ? 'write'
          : 'read',
    ]),
  )
}

/** The instructions with addresses for numbers; an account of a lookup table by its place among those. */
function namedInstructions({ keys, instructions }: ParsedTransaction) {
  const nameOf = (index: number) => keys[index] ?? `looked up ${index - keys.length}`
  return instructions.map(({ program, accounts, data }) => ({
    programId: nameOf(program),
    accounts: accounts.map(nameOf),
    data: [...data],
  }))
}
