import { Keypair, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, it, vi } from 'vitest'
import { encodeBase58 } from '../encoding/encodeBase58.ts'
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
  blockhash: encodeBase58(new Uint8Array(32).fill(9)),
  lastValidBlockHeight: 100,
})
const signed = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
signed.sign([sponsor, customer])
const signature = encodeBase58(signed.signatures[0] ?? new Uint8Array())

describe('submitUsdcTransfer', () => {
  const submit = (answer: () => Promise<string>) => {
    const sendRawTransaction = vi.fn(answer)
    return { sendRawTransaction, result: submitUsdcTransfer({ sendRawTransaction }, { transaction: signed }) }
  }

  it('sends the bytes and answers with their own signature, whatever the node says', async () => {
    const { sendRawTransaction, result } = submit(async () => 'something else')
    expect(await result).toEqual({ signature })
    expect(sendRawTransaction).toHaveBeenCalledWith(signed.serialize(), { preflightCommitment: 'confirmed' })
  })

  it('is content when the chain has it already', async () => {
    const again = 'Transaction simulation failed: This transaction has already been processed'
    expect(await submit(() => Promise.reject(new Error(again))).result).toEqual({ signature })
  })

  it.each([
    ['Transaction simulation failed: Blockhash not found', 'BlockhashExpiredError'],
    [
      'Transaction simulation failed: Error processing Instruction 2: custom program error: 0x1',
      'TransactionFailedError',
    ],
    ['fetch failed', 'SubmitUnknownError'],
    ['503 Service Unavailable', 'SubmitUnknownError'],
  ])('%s → %s', async (message, name) => {
    const cause = new Error(message)
    await expect(submit(() => Promise.reject(cause)).result).rejects.toMatchObject({
      name,
      cause,
      fix: expect.any(String),
    })
  })

  it('sends nothing that lacks a signature', async () => {
    const sendRawTransaction = vi.fn()
    await expect(submitUsdcTransfer({ sendRawTransaction }, { transaction })).rejects.toMatchObject({
      name: 'WrongSignatureError',
    })
    const half = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
    half.sign([sponsor])
    await expect(submitUsdcTransfer({ sendRawTransaction }, { transaction: half })).rejects.toMatchObject({
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

  it('waits until it is confirmed', async () => {
    const { wait, result } = follow([null, at('processed'), at('confirmed')], [99])
    expect(await result).toEqual({ signature, slot: 7 })
    expect(wait).toHaveBeenCalledTimes(2)
  })

  it('waits for finality when asked', async () => {
    const { wait, result } = follow([at('confirmed'), at('finalized')], [99], { commitment: 'finalized' })
    await result
    expect(wait).toHaveBeenCalledTimes(1)
  })

  it('says that it failed', async () => {
    await expect(
      follow([at('confirmed', { InstructionError: [3, { Custom: 1 }] })], [99]).result,
    ).rejects.toMatchObject({
      name: 'TransactionFailedError',
      message: expect.stringContaining('InstructionError'),
    })
  })

  it('gives up one block after the last valid one, not at it', async () => {
    const { wait, result } = follow([null], [99, 100, 101])
    await expect(result).rejects.toMatchObject({ name: 'BlockhashExpiredError', field: 'blockhash' })
    expect(wait).toHaveBeenCalledTimes(2)
  })

  it('sees what landed in the last moment, and does not call it expired while it is only processed', async () => {
    expect(await follow([at('confirmed')], [101]).result).toEqual({ signature, slot: 7 })
    expect(await follow([at('processed'), at('confirmed')], [101]).result).toEqual({ signature, slot: 7 })
  })

  it('stops when told to', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(follow([null], [0], { signal }).result).rejects.toThrow('enough')
  })

  it('refuses a truncated signature', async () => {
    const connection = { getSignatureStatuses: vi.fn(), getBlockHeight: vi.fn() }
    await expect(
      confirmUsdcTransfer(connection, { signature: signature.slice(0, -4), lastValidBlockHeight: 1 }),
    ).rejects.toMatchObject({ name: 'InvalidBase58Error', field: 'signature' })
    expect(connection.getBlockHeight).not.toHaveBeenCalled()
  })
})
