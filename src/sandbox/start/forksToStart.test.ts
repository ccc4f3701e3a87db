import { expect, test } from 'vitest'
import { forksToStart } from './forksToStart.ts'

const names = ['base', 'arbitrum'] as const
const forkUrl = 'https://base.example/key'

test('left out, all chains are fresh', () => {
  expect([...forksToStart({}, { names })]).toEqual([])
})

test('one address is that of the chain that was asked for, not of its bridge destination', () => {
  expect([...forksToStart({ forkUrl, forkBlockNumber: 7 }, { names })]).toEqual([
    ['base', { forkUrl, forkBlockNumber: 7 }],
  ])
})

test('by name, each chain has its own, with the block where one is pinned', () => {
  const other = 'https://arbitrum.example/key'
  const options = { forkUrl: { base: forkUrl, arbitrum: other }, forkBlockNumber: { arbitrum: 0 } }
  expect([...forksToStart(options, { names })]).toEqual([
    ['base', { forkUrl, forkBlockNumber: undefined }],
    ['arbitrum', { forkUrl: other, forkBlockNumber: 0 }],
  ])
})

test('one block is that of the only fork', () => {
  const options = { forkUrl: { arbitrum: forkUrl }, forkBlockNumber: 7 }
  expect([...forksToStart(options, { names })]).toEqual([['arbitrum', { forkUrl, forkBlockNumber: 7 }]])
})

test.each<[object, string]>([
  [{ forkUrl: undefined }, 'forkUrl'],
  [{ forkUrl: '' }, 'forkUrl'],
  [{ forkUrl: ' ' }, 'forkUrl'],
  [{ forkUrl: 'wss://base.example' }, 'forkUrl'],
  [{ forkUrl: 5 }, 'forkUrl'],
  [{ forkUrl: null }, 'forkUrl'],
  [{ forkUrl: { base: undefined } }, 'forkUrl.base'],
  [{ forkUrl: { base: '' } }, 'forkUrl.base'],
  [{ forkUrl: { polygon: forkUrl } }, 'forkUrl.polygon'],
  [{ forkUrl, forkBlockNumber: -1 }, 'forkBlockNumber'],
  [{ forkUrl, forkBlockNumber: 1.5 }, 'forkBlockNumber'],
  [{ forkUrl, forkBlockNumber: Number.NaN }, 'forkBlockNumber'],
  [{ forkUrl, forkBlockNumber: '7' }, 'forkBlockNumber'],
  [{ forkUrl: { base: forkUrl, arbitrum: forkUrl }, forkBlockNumber: 7 }, 'forkBlockNumber'],
  [{ forkBlockNumber: 7 }, 'forkBlockNumber'],
  [{ forkUrl, forkBlockNumber: { arbitrum: 7 } }, 'forkBlockNumber'],
])('%j is refused', (options, field) => {
  let refused: unknown
  try {
    forksToStart(options, { names })
  } catch (error) {
    refused = error
  }
  expect(refused).toMatchObject({ name: 'InvalidSandboxOptionsError', field, fix: expect.any(String) })
})
