import { Keypair, SendTransactionError, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, test, vi } from 'vitest'
import { formatBase58 } from '../encoding/formatBase58.ts'
import { confirmUsdcTransfer } from './confirmUsdcTransfer.ts'
import { submitUsdcTransfer } from './submitUsdcTransfer.ts'
import { usdcTransfer } from './usdcTransfer.ts'

const keypair = (seed: number) => Keypair.fromSeed(new Uint8Array(32).fill(seed))
const [customer, merchant, sponsor] = [keypair(1), keypair(2), keypair(3)]
const { transaction } = usdcTransfer({
  environment: 'sandbox',
  from: customer.publicKey,
  to: merchant.publicKey,
  sponsor: sponsor.publicKey,
  amount: 1_500_000n,
  blockhash: formatBase58(new Uint8Array(32).fill(9)),
  lastValidBlockHeight: 100,
})
const signed = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
signed.sign([sponsor, customer])
const signature = formatBase58(signed.signatures[0] ?? new Uint8Array())

describe('submitUsdcTransfer', () => {
  type Status = { slot: number; err: unknown; confirmationStatus?: string } | null
  const submit = (
    answer: () => Promise<string>,
    status: () => Promise<Status> = () => Promise.reject(new Error('not asked for')),
  ) => {
    const sendRawTransaction = vi.fn(answer)
    const getSignatureStatuses = vi.fn(async () => ({ value: [await status()] }))
    const connection = { sendRawTransaction, getSignatureStatuses }
    return { ...connection, result: submitUsdcTransfer(connection, { transaction: signed }) }
  }
  /** As web3.js throws it: what the node said, and the logs, in one message and apart. */
  const nodeError = (message: string, logs: string[] = []) =>
    new SendTransactionError({ action: 'simulate', signature: '', transactionMessage: message, logs })
  const memo = (text: string) => [`Program log: Memo (len ${text.length}): "${text}"`]

  test('sends the bytes and answers with their own signature, whatever the node says', async () => {
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

  test('looks on the chain when the node knows the blockhash no more: it may have landed before', async () => {
    const tooOld = () => Promise.reject(nodeError('Transaction simulation failed: Blockhash not found'))
    for (const err of [null, { InstructionError: [3, { Custom: 1 }] }]) {
      const { result, getSignatureStatuses } = submit(tooOld, async () => ({ slot: 7, err }))
      expect(await result).toEqual({ signature })
      expect(getSignatureStatuses).toHaveBeenCalledWith([signature], { searchTransactionHistory: true })
    }
    // Not seen is not "never": only the block height tells, and `confirmUsdcTransfer` looks at it.
    for (const status of [async () => null, () => Promise.reject(new Error('fetch failed'))])
      await expect(submit(tooOld, status).result).rejects.toMatchObject({
        name: 'SubmitUnknownError',
        field: 'blockhash',
        fix: expect.stringMatching(/^Confirm this signature first.*never/),
      })
  })

  test('sends nothing that lacks a signature', async () => {
    const [sendRawTransaction, getSignatureStatuses] = [vi.fn(), vi.fn()]
    const connection = { sendRawTransaction, getSignatureStatuses }
    await expect(submitUsdcTransfer(connection, { transaction })).rejects.toMatchObject({
      name: 'WrongSignatureError',
    })
    const half = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
    half.sign([sponsor])
    await expect(submitUsdcTransfer(connection, { transaction: half })).rejects.toMatchObject({
      name: 'WrongSignatureError',
    })
    expect(sendRawTransaction).not.toHaveBeenCalled()
  })
})

describe('confirmUsdcTransfer', () => {
  type Status = { slot: number; err: unknown; confirmationStatus?: string } | null
  /** Answers the given statuses and heights in turn, the last one for ever. */
  const follow = (
    statuses: Status[],
    heights: number[],
    options: { commitment?: 'finalized'; signal?: AbortSignal } = {},
  ) => {
    const wait = vi.fn(async () => undefined)
    const next = <item>(list: item[]) => (list.length > 1 ? list.shift() : list[0])
    const connection = {
      getSignatureStatuses: async () => ({ value: [next(statuses) ?? null] }),
      getBlockHeight: async () => next(heights) ?? 0,
    }
    return {
      wait,
      result: confirmUsdcTransfer(connection, { signature, lastValidBlockHeight: 100, wait, ...options }),
    }
  }
  const at = (confirmationStatus: string, err: unknown = null) => ({ slot: 7, err, confirmationStatus })

  test('waits until it is confirmed', async () => {
    const { wait, result } = follow([null, at('processed'), at('confirmed')], [99])
    expect(await result).toEqual({ signature, slot: 7 })
    expect(wait).toHaveBeenCalledTimes(2)
  })

  test('waits for finality when asked', async () => {
    const { wait, result } = follow([at('confirmed'), at('finalized')], [99], { commitment: 'finalized' })
    await result
    expect(wait).toHaveBeenCalledTimes(1)
  })

  test('says that it failed', async () => {
    await expect(
      follow([at('confirmed', { InstructionError: [3, { Custom: 1 }] })], [99]).result,
    ).rejects.toMatchObject({
      name: 'TransactionFailedError',
      message: expect.stringContaining('InstructionError'),
    })
  })

  test('gives up one block after the last valid one, not at it', async () => {
    const { wait, result } = follow([null], [99, 100, 101])
    await expect(result).rejects.toMatchObject({ name: 'BlockhashExpiredError', field: 'blockhash' })
    expect(wait).toHaveBeenCalledTimes(2)
  })

  test('sees what landed in the last moment, and does not call it expired while it is only processed', async () => {
    expect(await follow([at('confirmed')], [101]).result).toEqual({ signature, slot: 7 })
    expect(await follow([at('processed'), at('confirmed')], [101]).result).toEqual({ signature, slot: 7 })
  })

  test('stops when told to', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(follow([null], [0], { signal }).result).rejects.toThrow('enough')
  })

  test('cannot end without a block height to end at, so it does not begin', async () => {
    const connection = { getSignatureStatuses: vi.fn(), getBlockHeight: vi.fn() }
    for (const lastValidBlockHeight of [
      undefined,
      null,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      -1,
      '100',
      1.5,
    ])
      await expect(
        // Garbage on purpose: what callers without types pass.
        confirmUsdcTransfer(connection, { signature, lastValidBlockHeight: lastValidBlockHeight as never }),
      ).rejects.toMatchObject({ name: 'InvalidOptionError', field: 'lastValidBlockHeight' })
    expect(connection.getBlockHeight).not.toHaveBeenCalled()
  })

  test('refuses a truncated signature', async () => {
    const connection = { getSignatureStatuses: vi.fn(), getBlockHeight: vi.fn() }
    await expect(
      confirmUsdcTransfer(connection, { signature: signature.slice(0, -4), lastValidBlockHeight: 1 }),
    ).rejects.toMatchObject({ name: 'InvalidBase58Error', field: 'signature' })
    expect(connection.getBlockHeight).not.toHaveBeenCalled()
  })
})
