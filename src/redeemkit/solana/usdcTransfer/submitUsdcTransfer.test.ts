import { SendTransactionError, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, test, vi } from 'vitest'
import { sponsor } from '../solana.fixture.ts'
import { submitUsdcTransfer } from './submitUsdcTransfer.ts'
import { bytes, signature, signed } from './usdcTransfer.fixture.ts'

describe('submitUsdcTransfer', () => {
  type Status = { slot: number; err: unknown; confirmationStatus?: string } | null
  const submit = (
    answer: () => Promise<string>,
    status: () => Promise<Status> = () => Promise.reject(new Error('not asked for')),
  ) => {
    const sendRawTransaction = vi.fn(answer)
    const getSignatureStatuses = vi.fn(async () => ({ context: { slot: 1 }, value: [await status()] }))
    const connection = { sendRawTransaction, getSignatureStatuses }
    return { ...connection, result: submitUsdcTransfer(connection, { transaction: signed }) }
  }
  /** As web3.js throws it: the node's text and the logs, in one message and as separate fields. */
  const nodeError = (message: string, logs: string[] = []) =>
    new SendTransactionError({ action: 'simulate', signature: '', transactionMessage: message, logs })
  const memo = (text: string) => [`Program log: Memo (len ${text.length}): "${text}"`]

  test('sends the bytes and returns their own signature, with any answer of the node', async () => {
    const { sendRawTransaction, result } = submit(async () => 'something else')
    expect(await result).toEqual({ signature })
    expect(sendRawTransaction).toHaveBeenCalledWith(signed.serialize(), { preflightCommitment: 'confirmed' })
  })

  test.each([
    new Error('Transaction simulation failed: This transaction has already been processed'),
    nodeError('Transaction simulation failed: This transaction has already been processed'),
    Object.assign(new Error('-32002'), { data: { err: 'AlreadyProcessed' } }),
    new Error('-32002', { cause: { err: 'AlreadyProcessed' } }),
  ])('is content when the chain has it already: %s', async (again) => {
    expect(await submit(() => Promise.reject(again)).result).toEqual({ signature })
  })

  const failed = 'Transaction simulation failed: Error processing Instruction 3: custom program error: 0x1'
  test.each([
    [new Error(failed), 'TransactionFailedError'],
    [nodeError(failed), 'TransactionFailedError'],
    [nodeError(failed, memo('has already been processed')), 'TransactionFailedError'],
    [nodeError(failed, memo('Blockhash not found')), 'TransactionFailedError'],
    [new Error(`${failed}. Logs: ${memo('already been processed')}`), 'TransactionFailedError'],
    [
      Object.assign(new Error(failed), { data: { err: {}, logs: memo('AlreadyProcessed') } }),
      'TransactionFailedError',
    ],
    [new Error('fetch failed'), 'SubmitUnknownError'],
    [new Error('503 Service Unavailable'), 'SubmitUnknownError'],
    ['text', 'SubmitUnknownError'],
    [Object.create(null), 'SubmitUnknownError'],
  ])('%s → %s', async (cause, name) => {
    await expect(submit(() => Promise.reject(cause)).result).rejects.toMatchObject({
      name,
      cause: { className: expect.any(String) },
      fix: expect.any(String),
    })
  })

  describe('when the node no longer knows the blockhash', () => {
    const tooOld = () => Promise.reject(nodeError('Transaction simulation failed: Blockhash not found'))

    test.each([null, { InstructionError: [3, { Custom: 1 }] }])(
      'succeeds if the chain already has the transaction: %j',
      async (err) => {
        const { result, getSignatureStatuses } = submit(tooOld, async () => ({ slot: 7, err }))
        expect(await result).toEqual({ signature })
        expect(getSignatureStatuses).toHaveBeenCalledWith([signature], { searchTransactionHistory: true })
      },
    )

    // A transaction that was not found may still be included. Only the block height rules that out, and `confirmUsdcTransfer` checks it.
    test.each([
      ['the chain has not seen it', async () => null],
      ['the chain cannot be asked', () => Promise.reject(new Error('fetch failed'))],
    ])('does not know what became of it when %s', async (_when, status) => {
      await expect(submit(tooOld, status).result).rejects.toMatchObject({
        name: 'SubmitUnknownError',
        field: 'blockhash',
        fix: expect.stringMatching(/^Confirm this signature first.*never/),
      })
    })
  })

  const unsigned = VersionedTransaction.deserialize(bytes)
  const half = VersionedTransaction.deserialize(bytes)
  half.sign([sponsor])
  test.each([
    ['both signatures', unsigned],
    ["the customer's signature", half],
  ])('sends nothing that lacks %s', async (_label, lacking) => {
    const [sendRawTransaction, getSignatureStatuses] = [vi.fn(), vi.fn()]
    const connection = { sendRawTransaction, getSignatureStatuses }
    await expect(submitUsdcTransfer(connection, { transaction: lacking })).rejects.toMatchObject({
      name: 'WrongSignatureError',
    })
    expect(sendRawTransaction).not.toHaveBeenCalled()
  })
})
