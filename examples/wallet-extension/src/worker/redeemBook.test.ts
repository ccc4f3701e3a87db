import { creditPermitTypedData } from 'redeemkit/evm'
import { type Hex, toHex } from 'viem'
import { expect, test } from 'vitest'
import type { Networks } from './createNetworks.ts'
import type { Store } from './openStore.ts'
import { createRedeemBook } from './redeemBook.ts'
import { testAccount } from './wallet.fixture.ts'

const chainId = 84532
const nonce: Hex = `0x${'da'.repeat(32)}`
const signed = 1_800_000_000

test('a permit that is signed again while the chain is read stays open', async () => {
  let redeems: unknown = []
  // The parts of a store and of a network that are used.
  const store = {
    get: () => redeems,
    set: async (changes: { redeems: unknown }) => {
      redeems = changes.redeems
    },
  } as unknown as Store // all that the book reads and writes
  let proceed = () => {}
  const asked = new Promise<void>((resolve) => {
    proceed = resolve
  })
  const answers: Record<string, unknown> = {
    eth_chainId: toHex(chainId),
    eth_getBlockByNumber: { number: '0x1', timestamp: toHex(signed + 600) },
    eth_call: `0x${'00'.repeat(96)}`,
  }
  const node = {
    request: async ({ method }: { method: string }) => {
      await asked
      return answers[method]
    },
  }
  const networks = { nodeOf: () => node, isLocal: () => true } as unknown as Networks // all that the book asks
  const book = createRedeemBook(store, networks, () => signed * 1000)
  const record = (validFor: number) =>
    book.record(
      JSON.parse(
        JSON.stringify(
          creditPermitTypedData({
            domain: {
              name: 'Credits',
              version: '1',
              chainId,
              verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
            },
            permit: {
              customerWallet: testAccount,
              creditSeed: 'my-shop',
              amount: 1n,
              validBefore: BigInt(signed + validFor),
              nonce,
            },
          }),
          (_, value) => (typeof value === 'bigint' ? `${value}` : value),
        ),
      ),
      { asker: { kind: 'wallet' }, account: testAccount, inspection: {} as never, purchaseId: 'order 1' },
    )
  await record(600)
  const refreshed = book.refresh()
  await record(1200)
  await book.submitted(nonce, `0x${'ab'.repeat(32)}`)
  proceed()
  await refreshed
  expect(book.list()).toMatchObject([
    { outcome: 'open', validBefore: BigInt(signed + 1200), hash: `0x${'ab'.repeat(32)}` },
  ])
  await book.refresh()
  expect(book.list()).toMatchObject([{ outcome: 'open' }])
})
