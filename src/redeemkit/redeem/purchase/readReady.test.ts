import { describe, expect, test } from 'vitest'
import { readPurchaseTerms } from '../check/prepareTerms.ts'
import { prepareRedeem } from '../prepareRedeem.ts'
import { clearNonce, randomNonceAnswer } from '../randomNonce.fixture.ts'
import { fakeService, now, nowSeconds, pinned, token, wallet } from '../redeem.fixture.ts'
import type { CheckedPurchase, ReadyRedeem } from '../redeemOptions.ts'
import { readReady, readStoredPermit } from './readReady.ts'

const permitCredits = '0x12'

async function kept(usdcCents: number) {
  const { client } = fakeService({ client: { now } })
  const request = {
    subtotal: { cents: 1000 },
    transactionData: token,
    ...(usdcCents > 0 && { usdcAmount: { cents: usdcCents } }),
  }
  const prepared = await prepareRedeem(client, { ...request, wallet, pinned })
  const { salt, orderKey } = prepared
  return { prepared, terms: { ...readPurchaseTerms(client, { ...request, wallet, pinned }), salt, orderKey } }
}

test('a stored permit is used if enough time is left for the second prompt', async () => {
  const { prepared, terms } = await kept(400)
  const { validBefore } = prepared.answer
  const at = (seconds: number) =>
    readStoredPermit({ prepared, permitCredits }, terms, () => (Number(validBefore) - seconds) * 1000)
  expect([at(91)?.permitCredits, at(90), at(-1)]).toEqual([permitCredits, undefined, undefined])
})

test('the stored permit of a redeem without USDC is used, because the network may have failed after its prompt', async () => {
  const { prepared, terms } = await kept(0)
  const found = readStoredPermit({ prepared, permitCredits }, terms, () => nowSeconds * 1000)
  expect(found?.permitCredits).toBe(permitCredits)
})

test.each([undefined, '', '0x', '0x1', '0x12zz', 'x0x12', 'permit', 7])(
  '%j is not accepted as a permit',
  async (given) => {
    const { prepared, terms } = await kept(400)
    const permit = { prepared, permitCredits: given as `0x${string}` } // the storage may contain any value
    expect(readStoredPermit(permit, terms, now)).toBeUndefined()
  },
)

test('a permit for other terms is not used', async () => {
  const { prepared, terms } = await kept(400)
  const read = (change: object, own = terms) =>
    readStoredPermit({ prepared, permitCredits, ...change }, own, now)
  expect(read({ permitCredits: '0x1234' })).toMatchObject({ permitCredits: '0x1234' })
  for (const change of [{ prepared: undefined }, { prepared: { ...prepared, amount: '1' } }])
    expect(read(change)).toBeUndefined()
  for (const field of ['salt', 'orderKey'] as const)
    expect(read({}, { ...terms, [field]: `0x${'5b'.repeat(field === 'salt' ? 32 : 12)}` })).toBeUndefined()
})

describe('a check before the click', () => {
  const seconds = (after: number) => `${nowSeconds + after}`
  type Given = Partial<ReadyRedeem> & { asks?: Parameters<typeof readReady>[2] }
  /** Reads a check that was made now and is usable for a minute. Its permit expires in ten minutes. */
  async function read({ asks, ...change }: Given, after = 0) {
    const { prepared, terms } = await kept(400)
    const times = { checkedAt: seconds(0), usableUntil: seconds(60) }
    const ready = { version: 1, state: 'ready', prompts: [], prepared, ...times, ...change } as const
    return readReady(ready, terms, { now: () => (nowSeconds + after) * 1000, ...asks })
  }
  const publicClient = { request: () => expect.unreachable('no request may be made') }

  test.each<[string, Given, number, boolean]>([
    ['immediately', {}, 0, true],
    ['before the time of the check', {}, -1, false],
    ['a second before it expires', {}, 59, true],
    ['when it expires', {}, 60, false],
    ['91 seconds before the permit expires', { usableUntil: seconds(9_999) }, 509, true],
    ['90 seconds before the permit expires', { usableUntil: seconds(9_999) }, 510, false],
    ['with a node, if it is unknown whether the wallet has code', { asks: { publicClient } }, 0, false],
    ['with a node, if the wallet has no code', { hasCode: false, asks: { publicClient } }, 0, true],
    ['with a node, if the wallet has code', { hasCode: true, asks: { publicClient } }, 0, true],
    ['without the dry run that the click requests', { asks: { dryRun: publicClient } }, 0, false],
  ])('reports whether the prompt can open without a request: %s', async (_, change, after, fresh) => {
    expect(await read(change, after)).toMatchObject({ fresh })
  })

  test.each([
    [{ takesIntent: undefined }, true],
    [{ takesIntent: true }, true],
    [{ takesIntent: false }, false],
  ])('reports whether the wallet may be asked for its capabilities: %o', async (change, takesIntent) => {
    expect(await read(change as Given)).toMatchObject({ takesIntent })
  })

  test.each(['checkedAt', 'usableUntil'])('is rejected with a changed %s', async (field) => {
    for (const time of [undefined, 1, '', '-1', '1x', 'x1', '1'.repeat(21)])
      await expect(read({ [field]: time })).rejects.toMatchObject({
        name: 'StoredRedeemError',
        field: 'ready',
      })
  })

  test('reports whether the wallet has code only if that was read', async () => {
    for (const hasCode of [undefined, 'yes', 1])
      expect(await read({ hasCode } as Given)).toMatchObject({ hasCode: undefined })
  })

  test('is rejected for another order, and for random nonces', async () => {
    const { prepared, terms } = await kept(400)
    const ready = {
      version: 1,
      state: 'ready',
      prompts: [],
      prepared,
      checkedAt: '1',
      usableUntil: '2',
    } as const
    expect(() => readReady(ready, { ...terms, purchaseId: 'order 2' }, {})).toThrow(
      expect.objectContaining({ name: 'PreparedMismatchError', field: 'purchaseId' }),
    )
    const pins = { ...terms.pinned, intentBound: false } as const
    expect(() => readReady({ ...ready, state: 'redeemed' } as never, { ...terms, pinned: pins }, {})).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field: 'pinned.intentBound' }),
    )
  })

  test('is rejected if its permit has a random nonce', async () => {
    const { client } = fakeService({
      answer: (body) => {
        const { orderKey: _, ...answer } = randomNonceAnswer(body, { nonce: clearNonce })
        return answer
      },
    })
    const request = { subtotal: { cents: 1000 }, transactionData: token, wallet, pinned }
    const prepared = await prepareRedeem(client, { ...request, allowRandomNonce: true })
    const times = { checkedAt: seconds(0), usableUntil: seconds(60) }
    const ready = { version: 1, state: 'ready', prompts: [], prepared, ...times } as const
    expect(() => readReady(ready, readPurchaseTerms(client, request), {})).toThrow(
      expect.objectContaining({ name: 'RandomNonceError', field: 'ready' }),
    )
  })

  test.each(['open', 'redeemed'] as const)('has nothing to sign if the order is %s', async (state) => {
    const { terms } = await kept(400)
    expect(readReady({ state } as CheckedPurchase, terms, {})).toBeUndefined()
  })
})
