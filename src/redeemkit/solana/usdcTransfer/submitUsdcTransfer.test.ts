import { SendTransactionError, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, test, vi } from 'vitest'
import { sponsor } from '../solana.fixture.ts'
import { confirmUsdcTransfer, submitUsdcTransfer } from './submitUsdcTransfer.ts'
import { bytes, signature, signed } from './usdcTransfer.fixture.ts'

describe('confirmUsdcTransfer', () => {
  type Status = { slot: number; err: unknown; confirmationStatus?: string } | null
  /**
   * Returns the given statuses and finalized heights in turn, then repeats the last. A block's slot is its height plus
   * 1000; `seen` lists the slots at which the node responds.
   */
  const follow = (
    statuses: Status[],
    heights: number[],
    options: { commitment?: 'finalized'; signal?: AbortSignal; seen?: number[] } = {},
  ) => {
    const { seen = [2000], ...rest } = options
    const wait = vi.fn(async () => undefined)
    const next = <item>(list: item[]) => (list.length > 1 ? list.shift() : list[0])
    const connection = {
      getSignatureStatuses: async () => ({
        context: { slot: next(seen) ?? 0 },
        value: [next(statuses) ?? null],
      }),
      getEpochInfo: async () => {
        const blockHeight = next(heights) ?? 0
        return { absoluteSlot: blockHeight + 1000, blockHeight }
      },
    }
    return {
      wait,
      result: confirmUsdcTransfer(connection, { signature, lastValidBlockHeight: 100, wait, ...rest }),
    }
  }
  const at = (confirmationStatus: string, err: unknown = null) => ({ slot: 7, err, confirmationStatus })

  test('waits until it is confirmed', async () => {
    const { wait, result } = follow([null, at('processed'), at('confirmed')], [99])
    expect(await result).toEqual({ signature, slot: 7 })
    expect(wait).toHaveBeenCalledTimes(2)
  })

  test('waits for finality if requested', async () => {
    const { wait, result } = follow([at('confirmed'), at('finalized')], [99], { commitment: 'finalized' })
    await result
    expect(wait).toHaveBeenCalledTimes(1)
  })

  test('reports that it failed', async () => {
    await expect(
      follow([at('confirmed', { InstructionError: [3, { Custom: 1 }] })], [99]).result,
    ).rejects.toMatchObject({
      name: 'TransactionFailedError',
      message: expect.stringContaining('InstructionError'),
    })
  })

  test('reports expiry one block after the last valid block, not at it', async () => {
    const { wait, result } = follow([null], [99, 100, 101])
    await expect(result).rejects.toMatchObject({ name: 'BlockhashExpiredError', field: 'blockhash' })
    expect(wait).toHaveBeenCalledTimes(2)
  })

  test('does not report expiry based on a node that has not seen the block after the last valid block', async () => {
    const { wait, result } = follow([null], [101], { seen: [900, 1100, 1101] })
    await expect(result).rejects.toMatchObject({ name: 'BlockhashExpiredError' })
    expect(wait).toHaveBeenCalledTimes(2)
  })

  test('finds a transaction on an up-to-date node when a lagging node does not know it', async () => {
    const { result } = follow([null, at('finalized')], [101], { seen: [900, 1101] })
    expect(await result).toEqual({ signature, slot: 7 })
  })

  test('counts only finalized blocks, which cannot be rolled back', async () => {
    const getEpochInfo = vi.fn(async () => ({ absoluteSlot: 1, blockHeight: 101 }))
    const getSignatureStatuses = async () => ({ context: { slot: 1 }, value: [null] })
    await expect(
      confirmUsdcTransfer({ getEpochInfo, getSignatureStatuses }, { signature, lastValidBlockHeight: 100 }),
    ).rejects.toMatchObject({ name: 'BlockhashExpiredError' })
    expect(getEpochInfo).toHaveBeenCalledWith('finalized')
  })

  test('searches the history too, because nodes soon drop finalized transactions from their cache', async () => {
    const getSignatureStatuses = vi.fn(async () => ({ context: { slot: 1 }, value: [at('finalized')] }))
    const getEpochInfo = async () => ({ absoluteSlot: 1, blockHeight: 1 })
    await confirmUsdcTransfer({ getEpochInfo, getSignatureStatuses }, { signature, lastValidBlockHeight: 1 })
    expect(getSignatureStatuses).toHaveBeenCalledWith([signature], { searchTransactionHistory: true })
  })

  test('does not report expiry if a node returns no block height', async () => {
    const wait = vi.fn().mockResolvedValueOnce(undefined).mockRejectedValue(new Error('still waiting'))
    const getSignatureStatuses = async () => ({ context: { slot: 1 }, value: [null] })
    const connection = { getEpochInfo: async () => ({ absoluteSlot: 1 }), getSignatureStatuses }
    await expect(
      confirmUsdcTransfer(connection, { signature, lastValidBlockHeight: 1, wait }),
    ).rejects.toThrow('still waiting')
  })

  test('finds a transaction included at the last moment', async () => {
    expect(await follow([at('confirmed')], [101]).result).toEqual({ signature, slot: 7 })
  })

  test('does not report a processed, unconfirmed transaction as expired', async () => {
    expect(await follow([at('processed'), at('confirmed')], [101]).result).toEqual({ signature, slot: 7 })
  })

  test('stops on abort', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(follow([null], [0], { signal }).result).rejects.toThrow('enough')
  })

  test.each([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, -1, '100', 1.5])(
    'rejects an invalid last block height, which would never be reached: %s',
    async (lastValidBlockHeight) => {
      const connection = { getSignatureStatuses: vi.fn(), getEpochInfo: vi.fn() }
      await expect(
        // Invalid on purpose: untyped callers can pass anything.
        confirmUsdcTransfer(connection, { signature, lastValidBlockHeight: lastValidBlockHeight as never }),
      ).rejects.toMatchObject({ name: 'InvalidOptionError', field: 'lastValidBlockHeight' })
      expect(connection.getEpochInfo).not.toHaveBeenCalled()
    },
  )

  test.each(['processed', 'max', null, 1])(
    'rejects a commitment that can be rolled back: %s',
    async (commitment) => {
      const connection = { getSignatureStatuses: vi.fn(), getEpochInfo: vi.fn() }
      await expect(
        confirmUsdcTransfer(connection, {
          signature,
          lastValidBlockHeight: 1,
          commitment: commitment as never,
        }),
      ).rejects.toMatchObject({ name: 'InvalidOptionError', field: 'commitment' })
      expect(connection.getEpochInfo).not.toHaveBeenCalled()
    },
  )

  test('refuses a truncated signature', async () => {
    const connection = { getSignatureStatuses: vi.fn(), getEpochInfo: vi.fn() }
    await expect(
      confirmUsdcTransfer(connection, { signature: signature.slice(0, -4), lastValidBlockHeight: 1 }),
    ).rejects.toMatchObject({ name: 'InvalidBase58Error', field: 'signature' })
    expect(connection.getEpochInfo).not.toHaveBeenCalled()
  })
})

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
  /** Creates an error as web3.js throws it: the node's text and the logs, in the message and as separate fields. */
  const nodeError = (message: string, logs: string[] = []) =>
    new SendTransactionError({ action: 'simulate', signature: '', transactionMessage: message, logs })
  const memo = (text: string) => [`Program log: Memo (len ${text.length}): "${text}"`]

  test('sends the bytes and returns their signature, regardless of the node’s response', async () => {
    const { sendRawTransaction, result } = submit(async () => 'something else')
    expect(await result).toEqual({ signature })
    expect(sendRawTransaction).toHaveBeenCalledWith(signed.serialize(), {
      preflightCommitment: 'confirmed',
    })
  })

  test.each([
    new Error('Transaction simulation failed: This transaction has already been processed'),
    nodeError('Transaction simulation failed: This transaction has already been processed'),
    Object.assign(new Error('-32002'), { data: { err: 'AlreadyProcessed' } }),
    new Error('-32002', { cause: { err: 'AlreadyProcessed' } }),
  ])('succeeds if the chain already has it: %s', async (again) => {
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

  test('after a failed simulation, the error mentions that an earlier call may have sent it', async () => {
    await expect(submit(() => Promise.reject(nodeError(failed))).result).rejects.toMatchObject({
      shortMessage: expect.not.stringContaining('nothing was sent'),
      fix: expect.stringMatching(/earlier call .* confirm it/),
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

    // A transaction that was not found may still be included. Only the block height rules that out, and `confirmUsdcTransfer`
    // checks the height.
    test.each([
      ['the chain has not seen it', async () => null],
      ['the node cannot be reached', () => Promise.reject(new Error('fetch failed'))],
    ])('throws SubmitUnknownError if %s', async (_when, status) => {
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
  ])('does not send a transaction without %s', async (_label, lacking) => {
    const [sendRawTransaction, getSignatureStatuses] = [vi.fn(), vi.fn()]
    const connection = { sendRawTransaction, getSignatureStatuses }
    await expect(submitUsdcTransfer(connection, { transaction: lacking })).rejects.toMatchObject({
      name: 'WrongSignatureError',
    })
    expect(sendRawTransaction).not.toHaveBeenCalled()
  })
})
