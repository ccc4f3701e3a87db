import { Message, TransactionMessage } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { parseBase58 } from '../encoding.ts'
import { programs } from '../instruction/programs.ts'
import { recordedMessages } from '../instruction/recordedAssertions.fixture.ts'
import { isSignedBy } from '../transaction/isSignedBy.ts'
import { type ParsedTransaction, parseTransaction } from '../transaction/parseTransaction.ts'
import { isSameButAssertions } from './toTransactionSigner.ts'

type Recorded = { message: string; signature: string }

const signed = ({ message, signature }: Recorded): ParsedTransaction =>
  parseTransaction(
    Uint8Array.of(
      1,
      ...parseBase58(signature, { field: 'signature', length: 64 }),
      ...Buffer.from(message, 'base64'),
    ),
  )

/** The transaction given to the wallet: the recorded message with only some of its assertions, recompiled. */
function asked({ message }: Recorded, guardsLeft = 0): ParsedTransaction {
  const built = TransactionMessage.decompile(Message.from(Buffer.from(message, 'base64')))
  let assertions = 0
  built.instructions = built.instructions.filter(
    ({ programId }) => programId.toBase58() !== programs.lighthouse || assertions++ < guardsLeft,
  )
  return parseTransaction(
    Uint8Array.of(1, ...new Uint8Array(64), ...built.compileToLegacyMessage().serialize()),
  )
}

describe.each(Object.entries(recordedMessages))('Phantom’s %s on mainnet', (_name, recorded) => {
  test('is as its customer signed it', () => {
    const { keys, message, signatures } = signed(recorded)
    expect(isSignedBy(keys[0] ?? '', message, signatures[0] ?? new Uint8Array())).toBe(true)
  })
})

test("Phantom's transfer is the requested one, except for two assertions", () => {
  const { transfer } = recordedMessages
  expect(signed(transfer).instructions.length - asked(transfer).instructions.length).toBe(2)
  expect(isSameButAssertions(asked(transfer), signed(transfer))).toBe(true)
  expect(isSameButAssertions(signed(transfer), asked(transfer))).toBe(false)
})

test("Phantom's transfer is not the requested one if anything else differs", () => {
  const { transfer } = recordedMessages
  const other = asked(transfer)
  const data = other.instructions[3]?.data ?? new Uint8Array()
  expect(data[0]).toBe(12) // transferChecked
  data[1] = 0
  expect(isSameButAssertions(other, signed(transfer))).toBe(false)
})

test("of Phantom's six assertions of a mint, four are accepted", () => {
  const { mint } = recordedMessages
  const takes = (known: number) => isSameButAssertions(asked(mint, known), signed(mint))
  expect([0, 1, 2, 3].map(takes)).toEqual([false, false, true, true])
})
