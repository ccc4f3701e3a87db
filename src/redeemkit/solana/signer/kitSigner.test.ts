import {
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  blockhash as blockhashOf,
  compileTransaction,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type MessageModifyingSigner,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type TransactionModifyingSigner,
} from '@solana/kit'
import { Message, TransactionMessage } from '@solana/web3.js'
import { getTransferCheckedInstruction } from '@solana-program/token'
import { describe, expect, test } from 'vitest'
import { parseBase58 } from '../encoding.ts'
import { blockhash, customer, mint, sponsor, usdcAccountOf } from '../solana.fixture.ts'
import { isSignedBy } from '../transaction/isSignedBy.ts'
import { type ParsedTransaction, parseTransaction, readTransaction } from '../transaction/parseTransaction.ts'
import { programs } from '../transaction/programs.ts'
import { recordedMessages } from '../transaction/recordedAssertions.fixture.ts'
import { assertUsdcTransfer } from '../usdcTransfer/assertUsdcTransfer.ts'
import { signUsdcTransfer, sponsorUsdcTransfer } from '../usdcTransfer/signUsdcTransfer.ts'
import { amount, base, bytes, from, to, transfer, wallet } from '../usdcTransfer/usdcTransfer.fixture.ts'
import { toMessageSigner } from './toMessageSigner.ts'
import { isSameButAssertions } from './toTransactionSigner.ts'

const kitCustomer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(1))
const kitSponsor = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(3))
const options = { transaction: transfer.transaction, expected: transfer }

describe('a kit signer', () => {
  test('signs as customer and as sponsor', async () => {
    const { transaction } = await signUsdcTransfer(kitCustomer, options)
    expect(transaction).toBe((await signUsdcTransfer(customer, options)).transaction)
    const both = await sponsorUsdcTransfer(kitSponsor, { transaction, expected: transfer })
    expect(both).toEqual(await sponsorUsdcTransfer(sponsor, { transaction, expected: transfer }))
  })

  test('that returns a whole transaction is accepted', async () => {
    const modifying: TransactionModifyingSigner = {
      address: kitCustomer.address,
      modifyAndSignTransactions: async (transactions) => {
        const [signatures] = await kitCustomer.signTransactions(transactions as never)
        const [asked] = transactions
        return [{ ...asked, signatures: { ...asked?.signatures, ...signatures } }] as never
      },
    }
    expect(await signUsdcTransfer(modifying, options)).toEqual(await signUsdcTransfer(customer, options))
  })

  test('that returns no signature is rejected', async () => {
    const empty = { address: kitCustomer.address, signTransactions: async () => [{}] }
    await expect(signUsdcTransfer(empty, options)).rejects.toMatchObject({ name: 'WrongSignatureError' })
  })

  test('that can only sign and send is rejected', async () => {
    const sending = { address: kitCustomer.address, signAndSendTransactions: async () => [] }
    await expect(signUsdcTransfer(sending, options)).rejects.toMatchObject({ name: 'WrongSignerError' })
  })

  test('signs text', async () => {
    const text = new TextEncoder().encode('hello')
    const signature = await toMessageSigner(kitCustomer).signMessage?.(text)
    expect(isSignedBy(wallet, text, signature ?? new Uint8Array())).toBe(true)
  })

  test('that changes the signed text is refused', async () => {
    const modifying: MessageModifyingSigner = {
      address: kitCustomer.address,
      modifyAndSignMessages: async () => [{ content: new Uint8Array(5), signatures: {} }] as never,
    }
    await expect(
      toMessageSigner(modifying).signMessage?.(new TextEncoder().encode('hello')),
    ).rejects.toMatchObject({ name: 'ChangedByWalletError' })
  })
})

describe('a kit transaction', () => {
  const compiled = compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(kitSponsor.address, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhashOf(blockhash) as Blockhash, lastValidBlockHeight: 100n },
          message,
        ),
      (message) =>
        appendTransactionMessageInstructions(
          [
            getTransferCheckedInstruction({
              source: address(usdcAccountOf(from).toBase58()),
              mint: address(mint.toBase58()),
              destination: address(usdcAccountOf(to).toBase58()),
              authority: kitCustomer,
              amount,
              decimals: 6,
            }),
          ],
          message,
        ),
    ),
  )

  test('is parsed like its wire bytes', () => {
    expect(readTransaction(compiled)).toEqual(readTransaction(getBase64EncodedWireTransaction(compiled)))
  })

  test('is inspected and signed', async () => {
    expect(assertUsdcTransfer({ transaction: compiled, expected: base }).verdict).toBe('ok')
    const { transaction } = await signUsdcTransfer(kitCustomer, { transaction: compiled, expected: base })
    expect(readTransaction(transaction).signatures[1]?.some((byte) => byte !== 0)).toBe(true)
  })

  test("has each signature at its signer's position, in any order", () => {
    const { message, keys } = parseTransaction(bytes)
    const signatures = {
      [keys[1] ?? '']: new Uint8Array(64).fill(1),
      [keys[0] ?? '']: new Uint8Array(64).fill(2),
    }
    const read = readTransaction({ messageBytes: message, signatures })
    expect(read.signatures.map(([first]) => first)).toEqual([2, 1])
  })

  test.each([[{}], [{ a: null }], [null]])(
    'with signatures that do not match its signers is refused: %j',
    (signatures) => {
      const messageBytes = parseTransaction(bytes).message
      expect(() => readTransaction({ messageBytes, signatures: signatures as never })).toThrow(
        expect.objectContaining({ name: 'InvalidTransactionError' }),
      )
    },
  )
})

describe('toTransactionSigner', () => {
  type Recorded = { message: string; signature: string }

  const signed = ({ message, signature }: Recorded): ParsedTransaction =>
    parseTransaction(
      Uint8Array.of(
        1,
        ...parseBase58(signature, { field: 'signature', length: 64 }),
        ...Buffer.from(message, 'base64'),
      ),
    )

  /** Returns the transaction that was passed to the wallet: the recorded message with only some of its assertions, recompiled. */
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
    test('has a valid signature of its customer', () => {
      const { keys, message, signatures } = signed(recorded)
      expect(isSignedBy(keys[0] ?? '', message, signatures[0] ?? new Uint8Array())).toBe(true)
    })
  })

  test("Phantom's transfer is the requested transfer, except for two assertions", () => {
    const { transfer } = recordedMessages
    expect(signed(transfer).instructions.length - asked(transfer).instructions.length).toBe(2)
    expect(isSameButAssertions(asked(transfer), signed(transfer))).toBe(true)
    expect(isSameButAssertions(signed(transfer), asked(transfer))).toBe(false)
  })

  test("Phantom's transfer is not the requested transfer if anything else differs", () => {
    const { transfer } = recordedMessages
    const other = asked(transfer)
    const data = other.instructions[3]?.data ?? new Uint8Array()
    expect(data[0]).toBe(12) // transferChecked
    data[1] = 0
    expect(isSameButAssertions(other, signed(transfer))).toBe(false)
  })

  test('accepts at most four of the six assertions that Phantom added', () => {
    const { mint } = recordedMessages
    const takes = (known: number) => isSameButAssertions(asked(mint, known), signed(mint))
    expect([0, 1, 2, 3].map(takes)).toEqual([false, false, true, true])
  })
})
