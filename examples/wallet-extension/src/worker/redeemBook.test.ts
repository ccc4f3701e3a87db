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
const creditsContract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const otherAccount = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Creates a redeem book with only the parts of a store and of networks that it uses. */
function openBook(node: object = {}) {
  let redeems: unknown = []
  const store = {
    get: () => redeems,
    set: async (changes: { redeems: unknown }) => {
      redeems = changes.redeems
    },
  } as unknown as Store // All fields that the redeem book reads and writes.
  const networks = { nodeOf: () => node, isLocal: () => true } as unknown as Networks // All methods that the redeem book calls.
  const book = createRedeemBook(store, networks, () => signed * 1000)
  const record = (typedData: unknown, account: Hex) =>
    book.record(
      JSON.parse(JSON.stringify(typedData, (_, value) => (typeof value === 'bigint' ? `${value}` : value))),
      { asker: { kind: 'wallet' }, account, inspection: {} as never },
    )
  return { book, record }
}

const permit = (given: { account?: Hex; chainId?: number; contract?: Hex; validFor?: number } = {}) =>
  creditPermitTypedData({
    domain: {
      name: 'Credits',
      version: '1',
      chainId: given.chainId ?? chainId,
      verifyingContract: given.contract ?? creditsContract,
    },
    permit: {
      customerWallet: given.account ?? testAccount,
      creditSeed: 'my-shop',
      amount: 1n,
      validBefore: BigInt(signed + (given.validFor ?? 600)),
      nonce,
    },
  })

test('a permit that is signed again while the chain is read stays open', async () => {
  let proceed = () => {}
  const asked = new Promise<void>((resolve) => {
    proceed = resolve
  })
  const answers: Record<string, unknown> = {
    eth_chainId: toHex(chainId),
    eth_getBlockByNumber: { number: '0x1', timestamp: toHex(signed + 600) },
    eth_call: `0x${'00'.repeat(96)}`,
  }
  const { book, record } = openBook({
    request: async ({ method }: { method: string }) => {
      await asked
      return answers[method]
    },
  })
  await record(permit(), testAccount)
  const refreshed = book.refresh()
  const id = await record(permit({ validFor: 1200 }), testAccount)
  await book.submitted(`${id}`, `0x${'ab'.repeat(32)}`)
  proceed()
  await refreshed
  expect(book.list()).toMatchObject([
    { outcome: 'open', validBefore: BigInt(signed + 1200), hash: `0x${'ab'.repeat(32)}` },
  ])
  await book.refresh()
  expect(book.list()).toMatchObject([{ outcome: 'open' }])
})

test('permits with the same nonce on different chains, contracts or accounts are all kept', async () => {
  const { book, record } = openBook()
  await record(permit(), testAccount)
  await record(permit({ chainId: 8453 }), testAccount)
  await record(permit({ contract: otherAccount }), testAccount)
  await record(permit({ account: otherAccount }), otherAccount)
  expect(new Set(book.list().map(({ id }) => id)).size).toBe(4)
})
