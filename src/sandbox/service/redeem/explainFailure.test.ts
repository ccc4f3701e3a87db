import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import type { EvmChain } from '../../chains/evmChain.ts'
import { problem } from '../http/problem.ts'
import { explainFailure } from './explainFailure.ts'

/** A node that traces nothing. */
const silentChain = () => {
  const asked: unknown[] = []
  const chain = {
    creditsContract: `0x${'c1'.repeat(20)}` satisfies Hex,
    operator: { address: `0x${'0e'.repeat(20)}` satisfies Hex },
    client: {
      request: async (question: unknown) => {
        asked.push(question)
        throw Object.assign(new Error('Method not found'), { code: -32601 })
      },
    },
  }
  // of a chain, these are what is read
  return { asked, chain: chain as unknown as EvmChain }
}
// Only its kind is read here.
const request = { settlement: { kind: 0 } } as Parameters<typeof explainFailure>[2]['request']
const failed = problem('SIMULATION_FAILED', 'The redeem would fail: sold out.')

test('where nothing is traced, the refusal stays, and the node is told of', async () => {
  const errors: unknown[] = []
  const { asked, chain } = silentChain()
  const service = { kind: 'bound' as const, onError: (error: unknown) => errors.push(error) }
  expect(await explainFailure(service, chain, { refusal: failed, request, asWallet: undefined })).toBe(failed)
  expect(errors).toHaveLength(1)
  expect(asked).not.toEqual([])
})

test.each([
  ['whose code says it all', 'bound', problem('PERMIT_EXPIRED', 'It is over.')],
  ['of an unbound permit', 'unbound', failed],
] as const)('a refusal %s is not traced', async (_, kind, refusal) => {
  const errors: unknown[] = []
  const { asked, chain } = silentChain()
  const service = { kind, onError: (error: unknown) => errors.push(error) }
  expect(await explainFailure(service, chain, { refusal, request, asWallet: undefined })).toBe(refusal)
  expect([asked, errors]).toEqual([[], []])
})
