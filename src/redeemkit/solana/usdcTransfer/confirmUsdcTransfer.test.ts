import { describe, expect, test, vi } from 'vitest'
import { confirmUsdcTransfer } from './confirmUsdcTransfer.ts'
import { signature } from './usdcTransfer.fixture.ts'

describe('confirmUsdcTransfer', () => {
  type Status = { slot: number; err: unknown; confirmationStatus?: string } | null
  /**
   * Answers with the given statuses and final heights in turn, then repeats the last. A block's slot is 1000 more than its height; `seen`
   * are the slots of the statuses.
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

  test('waits for finality when asked', async () => {
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

  test('gives up one block after the last valid one, not at it', async () => {
    const { wait, result } = follow([null], [99, 100, 101])
    await expect(result).rejects.toMatchObject({ name: 'BlockhashExpiredError', field: 'blockhash' })
    expect(wait).toHaveBeenCalledTimes(2)
  })

  test('does not give up because of a node that has not seen the block after the last valid one', async () => {
    const { wait, result } = follow([null], [101], { seen: [900, 1100, 1101] })
    await expect(result).rejects.toMatchObject({ name: 'BlockhashExpiredError' })
    expect(wait).toHaveBeenCalledTimes(2)
  })

  test('finds a transaction on the current node that a lagging one does not know', async () => {
    const { result } = follow([null, at('finalized')], [101], { seen: [900, 1101] })
    expect(await result).toEqual({ signature, slot: 7 })
  })

  test('waits for the final block, which cannot be undone', async () => {
    const getEpochInfo = vi.fn(async () => ({ absoluteSlot: 1, blockHeight: 101 }))
    const getSignatureStatuses = async () => ({ context: { slot: 1 }, value: [null] })
    await expect(
      confirmUsdcTransfer({ getEpochInfo, getSignatureStatuses }, { signature, lastValidBlockHeight: 100 }),
    ).rejects.toMatchObject({ name: 'BlockhashExpiredError' })
    expect(getEpochInfo).toHaveBeenCalledWith('finalized')
  })

  test('searches the history too, because nodes soon forget final transactions', async () => {
    const getSignatureStatuses = vi.fn(async () => ({ context: { slot: 1 }, value: [at('finalized')] }))
    const getEpochInfo = async () => ({ absoluteSlot: 1, blockHeight: 1 })
    await confirmUsdcTransfer({ getEpochInfo, getSignatureStatuses }, { signature, lastValidBlockHeight: 1 })
    expect(getSignatureStatuses).toHaveBeenCalledWith([signature], { searchTransactionHistory: true })
  })

  test('does not give up because of a node without a block height', async () => {
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
    'cannot end without a block height to end at, so it does not begin: %s',
    async (lastValidBlockHeight) => {
      const connection = { getSignatureStatuses: vi.fn(), getEpochInfo: vi.fn() }
      await expect(
        // Garbage on purpose: what callers without types pass.
        confirmUsdcTransfer(connection, { signature, lastValidBlockHeight: lastValidBlockHeight as never }),
      ).rejects.toMatchObject({ name: 'InvalidOptionError', field: 'lastValidBlockHeight' })
      expect(connection.getEpochInfo).not.toHaveBeenCalled()
    },
  )

  test.each(['processed', 'max', null, 1])(
    'takes no commitment that may be undone: %s',
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
