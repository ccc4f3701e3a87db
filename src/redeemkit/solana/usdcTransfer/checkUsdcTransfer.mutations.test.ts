import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { flippedBits } from '../../core/flippedBits.fixture.ts'
import { stranger } from '../solana.fixture.ts'
import { type ParsedTransaction, parseTransaction } from '../transaction/parseTransaction.ts'
import { assertUsdcTransfer, refuseOtherTransfers } from './assertUsdcTransfer.ts'
import { bytes, codesOf, inspectAsTransfer, rebuild, transfer, wallet } from './usdcTransfer.fixture.ts'

/** Returns the verdict of the check before a signature. */
function isSigned(transaction: Uint8Array): boolean {
  try {
    refuseOtherTransfers(parseTransaction(transaction), { wallet, expected: transfer })
    return true
  } catch {
    return false
  }
}

/** Returns `refuse`, or the error's name if the bytes are no longer a transaction. */
function outcome(transaction: Uint8Array): string {
  try {
    const { verdict } = inspectAsTransfer(transaction)
    return isSigned(transaction) === (verdict === 'ok')
      ? verdict
      : `${verdict}, and the signer does not agree`
  } catch (error) {
    return error instanceof Error ? error.name : 'thrown'
  }
}
const isRefused = (result: string) => result === 'refuse' || result === 'InvalidTransactionError'

test('serializes to the parsed bytes', () => {
  expect(rebuild(parseTransaction(bytes))).toEqual(bytes)
})

test('refuses a change to any byte', () => {
  const passed: string[] = []
  // The counts of signers, read-only signers and other read-only accounts, after two signatures and the version.
  const header = 1 + 2 * 64 + 1
  const everyBit = Array.from({ length: 255 }, (_, i) => i + 1)
  for (let at = 0; at < bytes.length; at++)
    for (const by of at >= header && at < header + 3 ? everyBit : flippedBits(at)) {
      const changed = Uint8Array.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ by
      if (!isRefused(outcome(changed))) passed.push(`byte ${at} ^ ${by}`)
    }
  expect(passed).toEqual([])
}, 180_000)

test('refuses a change to several bytes', () => {
  const change = fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }))
  fc.assert(
    fc.property(fc.uniqueArray(change, { minLength: 1, maxLength: 4, selector: ([at]) => at }), (changes) => {
      const changed = Uint8Array.from(bytes)
      for (const [at, by] of changes) changed[at] = (changed[at] ?? 0) ^ by
      expect(isRefused(outcome(changed))).toBe(true)
    }),
    { numRuns: inject('generatedInputs') },
  )
}, 180_000)

test.each([
  [1, ['NOT_WRITABLE']],
  [2, ['NOT_WRITABLE', 'NOT_WRITABLE']],
])('refuses a transfer with %i of its two token accounts read-only', (more, codes) => {
  const parsed = parseTransaction(bytes)
  parsed.readonlyOthers += more
  expect(codesOf(inspectAsTransfer(rebuild(parsed)))).toEqual(codes)
})

test('a read-only source account throws UnexpectedAccountError', () => {
  const parsed = parseTransaction(bytes)
  parsed.readonlyOthers++
  expect(() => assertUsdcTransfer({ transaction: rebuild(parsed), expected: transfer })).toThrow(
    expect.objectContaining({ name: 'UnexpectedAccountError' }),
  )
})

/** Expects the changed transaction to be refused. */
function expectRefused(label: string, change: (parsed: ParsedTransaction) => void): void {
  const parsed = parseTransaction(bytes)
  change(parsed)
  expect(outcome(rebuild(parsed)), label).toSatisfy(isRefused)
}
const good = parseTransaction(bytes)
const indexes = good.keys.map((_, index) => index)
const names = ['compute unit limit', 'compute unit price', 'creation', 'memo', 'payment']
const memo = 3

test('has these instructions', () => {
  expect(good.instructions).toHaveLength(names.length)
})

describe.each(good.instructions.map((instruction, i) => ({ name: names[i], instruction, i })))(
  'of the $name',
  ({ instruction, i }) => {
    test('refuses every swap of two accounts', () => {
      instruction.accounts.forEach((account, j) => {
        for (const other of indexes)
          if (other !== account)
            expectRefused(`account ${j} -> ${other}`, ({ instructions }) => {
              instructions[i]?.accounts.splice(j, 1, other)
            })
      })
    })

    test('refuses a missing account', () => {
      instruction.accounts.forEach((_, j) => {
        expectRefused(`without account ${j}`, ({ instructions }) => {
          instructions[i]?.accounts.splice(j, 1)
        })
      })
    })

    test('refuses any extra account', () => {
      for (const other of indexes) {
        // A memo may name its signers.
        if (i === memo && other < 2) continue
        expectRefused(`plus account ${other}`, ({ instructions }) => {
          instructions[i]?.accounts.push(other)
        })
      }
    })

    test('refuses any other program', () => {
      for (const program of indexes) {
        if (program === instruction.program) continue
        expectRefused(`by program ${program}`, ({ instructions }) => {
          instructions.splice(i, 1, { ...instruction, program })
        })
      }
    })

    test('refuses a transaction without it', () => {
      expectRefused('absent', ({ instructions }) => {
        instructions.splice(i, 1)
      })
    })

    test('refuses a transaction that has it twice', () => {
      expectRefused('twice', ({ instructions }) => {
        instructions.push(instruction)
      })
    })
  },
)

test.each(indexes)('refuses a stranger in place of key %i', (i) => {
  expectRefused('replaced', ({ keys }) => {
    keys.splice(i, 1, stranger.publicKey.toBase58())
  })
})

test('refuses an extra key', () => {
  expectRefused('an extra key', (parsed) => {
    parsed.keys.push(stranger.publicKey.toBase58())
    parsed.readonlyOthers++
  })
})

test('refuses an extra signer', () => {
  expectRefused('an extra signer', (parsed) => {
    parsed.keys.splice(2, 0, stranger.publicKey.toBase58())
    parsed.signers++
    parsed.readonlySigners++
    parsed.signatures.push(new Uint8Array(64))
    for (const instruction of parsed.instructions) {
      instruction.program++
      instruction.accounts = instruction.accounts.map((account) => (account < 2 ? account : account + 1))
    }
  })
})

test('refuses the account creation after the payment', () => {
  expectRefused('reversed', ({ instructions }) => {
    instructions.reverse()
  })
})
