import { cancelCreditPermitTypedData, creditPermitTypedData, orderKey } from 'redeemkit/evm'
import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import { inspectAsk } from './inspectAsk.ts'
import type { Store } from './openStore.ts'
import { testAccount } from './wallet.fixture.ts'

const other: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const contract: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const chainId = 84532
const now = () => 1_800_000_000_000

/** The nonce of an attempt to pay order 1. */
const nonceOf = (digit: string) =>
  `${orderKey({ merchantId: 'shop', purchaseId: 'order 1' })}${digit.repeat(40)}` as Hex // The value is still 0x-hex.

test.each([
  ['redeemed', 'ORDER_USED'],
  ['otherAttempt', 'ORDER_USED'],
  ['open', 'ORDER_SIGNED'],
])(
  'reports that another account of the wallet has signed for the order (outcome: %s)',
  async (outcome, code) => {
    const kept: Record<string, unknown> = {
      redeems: [{ account: other, nonce: nonceOf('a'), outcome }],
      pins: [],
      names: {},
      accounts: [],
    }
    const typedData = creditPermitTypedData({
      domain: { name: 'Credits', version: '1', chainId, verifyingContract: contract },
      permit: {
        customerWallet: testAccount,
        creditSeed: 'my-shop',
        amount: 10_000_000n,
        validBefore: 1_800_000_600n,
        nonce: nonceOf('b'),
      },
    })
    const text = JSON.stringify(typedData, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
    const [inspection] = await inspectAsk(
      {
        ask: {
          kind: 'typedData',
          method: 'eth_signTypedData_v4',
          account: testAccount,
          chainId,
          params: [testAccount, text],
        },
        page: undefined,
      },
      // The parts of a store that `inspectAsk` reads.
      { store: { get: (key: string) => kept[key] } as Store, now },
    )
    expect(inspection.findings).toContainEqual(expect.objectContaining({ code }))
  },
)

test.each([
  ['a pinned contract', contract, 'ok'],
  ['another contract', other, 'caution'],
])('inspects a cancellation that the user starts, for a permit at %s', async (_, to, verdict) => {
  const pin = {
    name: 'Shop',
    chainId,
    creditsContract: contract,
    creditSeed: 'my-shop',
    merchantId: 'shop',
    receivers: [],
    origins: ['https://shop.example'],
    maxGasFeeCents: 100,
  }
  const kept: Record<string, unknown> = { redeems: [], pins: [pin], names: {}, accounts: [] }
  const nonce = nonceOf('b')
  const domain = { name: 'Credits', version: '1', chainId, verifyingContract: to }
  const [inspection] = await inspectAsk(
    {
      ask: {
        kind: 'cancel',
        account: testAccount,
        chainId,
        redeemId: '1',
        typedData: cancelCreditPermitTypedData({ domain, customerWallet: testAccount, nonce }),
        nonce,
        to,
        prepared: { state: 'preparing' },
      },
      page: undefined,
    },
    // The parts of a store that `inspectAsk` reads.
    { store: { get: (key: string) => kept[key] } as Store, now },
  )
  expect(inspection.verdict).toBe(verdict)
})
